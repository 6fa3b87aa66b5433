import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { recentCopies } from './recent-copies.ts';

/** Copies in a folder of the test. `free`: the free bytes of the disk. */
async function inFolder({ free = 1000, keepMs }: { readonly free?: number; readonly keepMs?: number } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'telecine-recent-copies-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let count = 0;
  const removed: string[] = [];
  const add = async () => {
    const file = join(folder, `copy-${count++}`);
    return {
      file,
      remove: async () => {
        removed.push(file);
        await rm(file, { force: true });
      },
    };
  };
  const recent = recentCopies({
    copies: { add, sweep: async () => undefined },
    freeBytes: async () => free,
    ...(keepMs !== undefined && { keepMs }),
  });
  const put = async (version: string, sizeBytes: number): Promise<void> => {
    const file = join(folder, `job-${version}`);
    await writeFile(file, version);
    await recent.keep(version, file, sizeBytes);
    await rm(file);
  };
  const read = async (version: string): Promise<string | undefined> => {
    const file = join(folder, `next-${count++}`);
    return (await recent.use(version, file)) ? readFile(file, 'utf8') : undefined;
  };
  return { recent, removed, put, read };
}

test('the next job gets the copy of the same version, and no other', async () => {
  const { put, read } = await inFolder();
  await put('film.mp4 1', 100);
  expect(await read('film.mp4 1')).toBe('film.mp4 1');
  expect(await read('film.mp4 2')).toBeUndefined();
});

test('copies use at most a quarter of the free space, and the oldest goes first', async () => {
  const { put, read } = await inFolder({ free: 1000 });
  await put('large', 251);
  expect(await read('large')).toBeUndefined();
  await put('a', 100);
  await put('b', 100);
  await read('a');
  await put('c', 100);
  expect([await read('a'), await read('b'), await read('c')]).toEqual(['a', undefined, 'c']);
});

test('a copy goes some time after its last use, and all go when the disk has little space', async () => {
  const { recent, removed, put, read } = await inFolder({ keepMs: 20 });
  await put('short', 10);
  await expect.poll(() => removed.length).toBe(1);
  expect(await read('short')).toBeUndefined();
  const { recent: others, put: putOther, read: readOther } = await inFolder();
  await putOther('a', 10);
  await others.clear();
  expect(await readOther('a')).toBeUndefined();
  expect([recent.isEmpty(), others.isEmpty()]).toEqual([true, true]);
});
