import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PreviewImage } from '@telecine/contract/domain/preview.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openDiskCache } from './preview-cache.ts';

const key = (letter: string): string => letter.repeat(64);
const image = (size: number): PreviewImage => ({
  ...{
    format: 'png',
    width: 2,
    height: 2,
    times: [1.5],
    durationSeconds: 3,
    file: { durationSeconds: 3 },
    bytes: new Uint8Array(size).fill(7),
  },
});

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'telecine-test-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return join(dir, 'previews');
}

const errors: unknown[] = [];
const open = (dir: string, maxBytes = 3000, isFull = false) =>
  openDiskCache({ dir, maxBytes, isFull: async () => isFull, onError: (error) => errors.push(error) });

test('keeps previews across restarts, and removes those that were used longest ago', async () => {
  const dir = await folder();
  const cache = await open(dir);
  await cache.put(key('a'), image(1000));
  await cache.put(key('b'), image(1000));
  const found = await cache.get(key('a'));
  expect(found).toMatchObject({ ...image(1000), bytes: expect.anything() });
  expect([...(found?.bytes ?? [])]).toEqual([...image(1000).bytes]);
  await cache.put(key('c'), image(1000));
  await expect.poll(async () => (await readdir(dir)).toSorted()).toEqual([key('a'), key('c')]);
  const again = await open(dir);
  expect(await again.get(key('b'))).toBeUndefined();
  expect(await again.get(key('c'))).toMatchObject({ times: [1.5] });
  expect(errors).toEqual([]);
});

test('makes nothing of what a crash left', async () => {
  const dir = await folder();
  const cache = await open(dir);
  await cache.put(key('a'), image(100));
  await writeFile(join(dir, key('b')), '{"format":"png","sizeBytes":5}\nabc');
  await writeFile(join(dir, `${key('c')}.123`), 'half');
  const again = await open(dir);
  expect(await again.get(key('b'))).toBeUndefined();
  expect(await again.get(key('a'))).toBeDefined();
  await expect.poll(() => readdir(dir)).toEqual([key('a')]);
});

test('keeps nothing that is too large, or while the disk is nearly full', async () => {
  const dir = await folder();
  await (await open(dir)).put(key('a'), image(4000));
  await (await open(dir, 3000, true)).put(key('b'), image(100));
  expect(await readdir(dir)).toEqual([]);
});

test('leaves no file of an entry that could not be written', async () => {
  const dir = await folder();
  const cache = await open(dir);
  await mkdir(join(dir, key('a')));
  await cache.put(key('a'), image(100));
  expect(errors.splice(0)).toMatchObject([{ syscall: 'rename' }]);
  expect(await readdir(dir)).toEqual([key('a')]);
});
