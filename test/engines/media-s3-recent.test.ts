import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { disturbed, opened } from '../fixtures/disturbed-s3.ts';
import { at, input } from '../fixtures/media-plans.ts';
import { needs } from '../support/needs.ts';

const test = needs('an S3 server');

test('a client that tries out options on an object waits once for its copy, until the object is replaced', async () => {
  const t = await opened();
  await t.put('film.mp4', 'one');
  const { media, requests } = await disturbed(t, () => undefined);
  const reads = () => requests.filter(({ method, range }) => method === 'GET' && range !== undefined).length;
  let attempts = 0;
  const stage = async (isReadAgain: boolean): Promise<string> => {
    const scratch = await media.openScratch('0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e11', ++attempts);
    const staged = await media.stage(t.root, scratch, [input('film.mp4')], [], { isReadAgain });
    const [mount] = media.mounts(staged);
    const content = await readFile(mount?.hostPath ?? '', 'utf8');
    await media.discard(scratch);
    return content;
  };
  // A job whose outputs are to stay is probably the only one of its input.
  expect([await stage(false), reads()]).toEqual(['one', 1]);
  expect([await stage(true), reads()]).toEqual(['one', 2]);
  expect([await stage(true), reads()]).toEqual(['one', 2]);
  // So is a preview of the same object.
  const previewed = await media.stageFile(t.root, at('film.mp4'), 'in/0.mp4');
  expect(await readFile(media.mounts([previewed])[0]?.hostPath ?? '', 'utf8')).toBe('one');
  await media.removeInput(previewed);
  expect(reads()).toBe(2);

  await t.put('film.mp4', 'another');
  expect([await stage(true), reads()]).toEqual(['another', 3]);
});
