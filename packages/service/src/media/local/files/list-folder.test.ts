import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstDirents, namesOf } from './list-folder.ts';

const COUNT = 3000;
const names = Array.from({ length: COUNT }, (_, at) => `file-${String((at * 7919) % COUNT).padStart(5, '0')}`);
const sorted = names.toSorted();

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'first-names-'));
  for (const name of names) writeFileSync(join(folder, name), '');
});
afterAll(() => rm(folder, { recursive: true }));

test('finds the first names in their order, from any of them on', async () => {
  const first = async (after: string | undefined, count: number, nameStart = '') =>
    namesOf(await firstDirents(folder, { nameStart, after, count }));
  expect(await first(undefined, 3)).toEqual(sorted.slice(0, 3));
  expect(await first(sorted[1500], 700)).toEqual(sorted.slice(1501, 2201));
  expect(await first(sorted.at(-3), 10)).toEqual(sorted.slice(-2));
  expect(await first(undefined, COUNT + 1)).toEqual(sorted);
  expect(await first(undefined, 5, 'file-02')).toEqual(sorted.slice(2000, 2005));
  expect(await first(undefined, 5, 'none')).toEqual([]);
});

test('a long folder is read in several turns of the event loop', async () => {
  let turns = 0;
  let isDone = false;
  const countTurns = (): void => {
    turns += 1;
    if (!isDone) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  await firstDirents(folder, { nameStart: '', after: undefined, count: 2 });
  isDone = true;
  expect(turns).toBeGreaterThanOrEqual(COUNT / 1024);
});

test('the read of a long folder ends when it is aborted', async () => {
  const left = new Error('The client has left.');
  const abort = new AbortController();
  const reading = firstDirents(folder, { nameStart: '', after: undefined, count: 2, signal: abort.signal });
  abort.abort(left);
  await expect(reading).rejects.toBe(left);
});
