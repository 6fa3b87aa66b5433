import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { expect, test } from 'vitest';
import { testFolder } from '../../../../test/support/folders.ts';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import type { MediaStore, StagedInput } from '../jobs/ports/media-store.ts';
import { noSpace, previewStaging, type ReserveSpace } from './preview-staging.ts';

/** An engine. The content of a file is its name. `calls`: the files that the engine staged and removed. */
async function engine(names: readonly string[]) {
  const dir = await testFolder('preview-staging');
  for (const name of names) await writeFile(join(dir, name), name);
  const calls: string[] = [];
  const media = {
    stageFile: async (_root: unknown, path: string, logical: string) => {
      calls.push(`stage ${path}`);
      const { size, dev, ino } = await stat(join(dir, path));
      return { path, logical, hostPath: join(dir, path), identities: [`${dev}:${ino}`], sizeBytes: size };
    },
    removeInput: async ({ path }: { path: string }) => void calls.push(`remove ${path}`),
    mounts: (inputs: readonly StagedInput[]) => inputs as unknown as readonly Mount[],
  } as unknown as MediaStore;
  return { dir: await testFolder('preview'), media, calls };
}

const parts = (text: string) => ({ path: 'all.m3u8' as MediaPath, parts: text.split(' ') as unknown as MediaPath[] });
const ANY = { root: mediaRoot('/srv/media'), policy: {}, signal: new AbortController().signal };

test('a file that a playlist names many times is staged once, and removed after its last use', async () => {
  const { dir, media, calls } = await engine(['a.ts', 'b.ts', 'c.ts']);
  const reserved: number[] = [];
  const reserve: ReserveSpace = async (_folder, bytes) => {
    reserved.push(bytes);
    return () => reserved.push(-bytes);
  };
  const staging = previewStaging(media, { ...ANY, dir, reserve });
  const { hostPath } = await staging.stage(parts('a.ts b.ts a.ts c.ts b.ts'), 0);
  expect(await readFile(hostPath, 'utf8')).toBe('a.tsb.tsa.tsc.tsb.ts');
  expect(calls).toEqual(['stage a.ts', 'stage b.ts', 'remove a.ts', 'stage c.ts', 'remove c.ts', 'remove b.ts']);
  expect(reserved, 'before and after each copy').toEqual([4, -4, 4, -4, 4, -4, 4, -4, 4, -4]);
});

test('nothing is copied without room for it, and nothing is left staged', async () => {
  const { dir, media, calls } = await engine(['a.ts', 'b.ts']);
  let room = 6;
  const reserve: ReserveSpace = async (_folder, bytes) => {
    room -= bytes;
    if (room < 0) throw noSpace();
    return () => {};
  };
  const staging = previewStaging(media, { ...ANY, dir, reserve });
  await expect(staging.stage(parts('a.ts b.ts a.ts'), 0)).rejects.toMatchObject({ failure: { code: 'NO_SPACE' } });
  expect(await readFile(join(dir, '0'), 'utf8')).toBe('a.ts');
  await staging.end();
  expect(calls.toSorted()).toEqual(['remove a.ts', 'remove b.ts', 'stage a.ts', 'stage b.ts']);
});

test('the limit "input" counts a file as often as it is played', async () => {
  const { dir, media } = await engine(['a.ts', 'b.ts']);
  const staging = previewStaging(media, { ...ANY, policy: { input: 11 }, dir, reserve: async () => () => {} });
  await expect(staging.stage(parts('a.ts b.ts a.ts'), 0)).rejects.toMatchObject({
    failure: { code: 'LIMIT_EXCEEDED' },
  });
});

test('only the ends of a file are staged on request, but whole parts of a playlist', async () => {
  const { dir, media } = await engine(['a.mp4', 'a.ts', 'b.ts']);
  const asked: (number | undefined)[] = [];
  const stageFile: MediaStore['stageFile'] = async (root, path, logical, signal, ends) => {
    asked.push(ends);
    const input = await media.stageFile(root, path, logical, signal);
    return ends === undefined ? input : { ...input, isPartial: true };
  };
  const open = () => previewStaging({ ...media, stageFile }, { ...ANY, dir, reserve: async () => () => {}, ends: 100 });
  const whole = open();
  await whole.stage(parts('a.ts b.ts'), 0);
  const ends = open();
  await ends.stage({ path: 'a.mp4' as MediaPath }, 0);
  expect(asked).toEqual([undefined, undefined, 100]);
  expect([whole.isPartial(), ends.isPartial()]).toEqual([false, true]);
});

test('of the bytes that a preview needs besides the ends, only the missing ones are copied', async () => {
  const { dir, media } = await engine(['a.mp4']);
  const filled: unknown[] = [];
  const partial: Pick<MediaStore, 'stageFile' | 'fillInput'> = {
    stageFile: async (root, path, logical, signal) => ({
      ...(await media.stageFile(root, path, logical, signal)),
      sizeBytes: 1000,
      isPartial: true,
    }),
    fillInput: async (_root, path, _input, bytes) => void filled.push(path, bytes),
  };
  const staging = previewStaging({ ...media, ...partial }, { ...ANY, dir, reserve: async () => () => {}, ends: 100 });
  await staging.stage({ path: 'a.mp4' as MediaPath }, 0);
  const needed = [
    [50, 200],
    [300, 400],
    [850, 1000],
    [0, 90],
  ] as const;
  await staging.fetchBytes(needed, NEVER);
  expect(filled).toEqual([
    'a.mp4',
    [
      [100, 200],
      [300, 400],
      [850, 900],
    ],
  ]);
});
