import { AbortMultipartUploadCommand } from '@aws-sdk/client-s3';
import { describe, expect } from 'vitest';
import { s3Intents } from '../../packages/service/src/media/s3/publish/prepare.ts';
import { failure } from '../contracts/media.ts';
import { disturbed, finish, opened } from '../fixtures/disturbed-s3.ts';
import { input, output } from '../fixtures/media-plans.ts';
import type { S3UnderTest } from '../fixtures/s3-media.ts';
import { needs } from '../support/needs.ts';
import type { S3Request } from '../support/s3-proxy.ts';

const test = needs('an S3 server');

/** So that a busy machine repeats no requests. */
const PATIENT = { socketTimeoutMs: 60_000 };

/** A playlist and its segments. */
const playlist = (segments: number): Readonly<Record<string, string>> =>
  Object.fromEntries([
    ['o.m3u8', 'list'],
    ...Array.from({ length: segments }, (_, i): [string, string] => [`o${i}.ts`, `segment ${i}`]),
  ]);

/** The requests of publishing a playlist with so many segments. */
async function requestsFor(
  t: S3UnderTest & Parameters<typeof finish>[0],
  segments: number,
): Promise<readonly string[]> {
  const { media, requests } = await disturbed(t, () => undefined, PATIENT);
  const place = { folder: `${segments}/`, path: `${segments}/o.m3u8` };
  expect(await media.publish(await finish(t, media, playlist(segments), place))).toBe(true);
  return requests.map(({ method, url }: S3Request) => `${method} ${kindOf(url)}`);
}

const kindOf = (url: string): string =>
  ['partNumber', 'uploadId', 'uploads', 'list-type'].find((kind) => new URL(url, 'http://s3').searchParams.has(kind)) ??
  'object';

describe('sets of files on S3', () => {
  test('a further small output takes three requests: it begins an upload, sends its part, and completes it', async () => {
    const t = await opened();
    const [few, many] = [await requestsFor(t, 3), await requestsFor(t, 40)];
    const count = (requests: readonly string[], kind: string) => requests.filter((one) => one === kind).length;
    const counts = Object.fromEntries([...new Set(many)].map((kind) => [kind, count(many, kind) - count(few, kind)]));
    expect(counts).toEqual({
      'POST uploads': 37,
      'PUT partNumber': 37,
      'POST uploadId': 37,
      'GET list-type': 0,
      'HEAD object': 0,
    });
  });

  test('a job that comes back to its worker after its claim was lost is published by the heads of its objects', async () => {
    const t = await opened();
    const { media, requests } = await disturbed(t, () => undefined, PATIENT);
    const intent = await finish(t, media, playlist(3));
    await media.release({ name: intent.scratch });
    const before = requests.length;
    // As the next claim reads it from the database.
    expect(await media.publish(JSON.parse(JSON.stringify(intent)))).toBe(true);
    expect(requests.slice(before).filter(({ method }) => method === 'HEAD')).toHaveLength(4);
  });

  test('a further small input takes one request', async () => {
    const t = await opened();
    const { media, requests } = await disturbed(t, () => undefined, PATIENT);
    const stage = async (files: number, fence: number): Promise<number> => {
      const scratch = await media.openScratch('job', fence);
      const names = Array.from({ length: files }, (_, i) => `in/${i}.ts`);
      for (const name of names) await t.put(name, name);
      const before = requests.length;
      const inputs = names.map((name, i) => input(name, { logical: `in/${i}.ts` }));
      expect(await media.stage(t.root, scratch, inputs, [output('o.m3u8')])).toHaveLength(files);
      return requests.length - before;
    };
    expect((await stage(20, 2)) - (await stage(4, 1))).toBe(16);
  });

  test('rejects a missing input among many, and names it', async () => {
    const t = await opened();
    for (const name of ['a.ts', 'b.ts', 'd.ts']) await t.put(name, name);
    const scratch = await t.media.openScratch('job', 1);
    const inputs = ['a.ts', 'b.ts', 'c.ts', 'd.ts'].map((name) => input(name, { logical: `in/${name}` }));
    await expect(t.media.stage(t.root, scratch, inputs, [output('o.m3u8')])).rejects.toThrow('"c.ts"');
  });

  test('publishes nothing if the path of one of many files is a folder, or is below a file', async () => {
    const t = await opened();
    await t.put('o1.ts/a', 'in a folder');
    await expect(finish(t, t.media, playlist(3))).rejects.toThrow('o1.ts');
    await t.put('b', 'a file');
    await expect(finish(t, t.media, playlist(3), { folder: 'b/', path: 'b/o.m3u8' })).rejects.toThrow('b/o');
    expect(await t.list()).toEqual(['b', 'o1.ts/a']);
  });

  test('publishes into a folder with far more files than the output has', async () => {
    const t = await opened();
    await Promise.all(Array.from({ length: 1001 }, (_, i) => t.put(`o${i + 10}.ts`, 'other')));
    const intent = await finish(t, t.media, playlist(3));
    expect(await t.media.publish(intent)).toBe(true);
    expect(await t.get('o2.ts')).toBe('segment 2');
    await t.media.discard({ name: intent.scratch });
    await expect(finish(t, t.media, { ...playlist(3), 'o500.ts': 'new' })).rejects.toEqual(failure('OUTPUT_EXISTS'));
  });

  test('with "y", an aborted upload counts as gone although the same content is at its key', async () => {
    const t = await opened();
    const first = await finish(t, t.media, playlist(3));
    expect(await t.media.publish(first)).toBe(true);
    await t.media.discard({ name: first.scratch });
    const again = await finish(t, t.media, playlist(3), { replace: true });
    const { bucket, objects } = s3Intents.read(again);
    for (const { key, uploadId } of objects)
      await t.client.send(new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: uploadId }));
    expect(await t.media.publish(again)).toBe(false);
  });

  test('a repeated publishing finds that its objects were deleted since', async () => {
    const t = await opened();
    const crash = new Error('crash');
    const media = await t.restart({
      failpoint: (step) => {
        if (step === 'completed') throw crash;
      },
    });
    const intent = await finish(t, media, playlist(3));
    await expect(media.publish(intent)).rejects.toBe(crash);
    for (const path of await t.list()) await t.remove(path);
    expect(await (await t.restart()).publish(intent)).toBe(false);
  });
});
