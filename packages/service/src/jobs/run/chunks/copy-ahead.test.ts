import { expect, test } from 'vitest';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { Scratch } from '../../ports/media-store.ts';
import { writeTask } from './chunk-task.ts';
import { copyChunksAhead } from './copy-ahead.ts';

const scratch: Scratch = { name: 'job.1' };
const task = { planKey: 'plan', inputKey: 'input', part: '{}', seconds: 10 };
const chunkOf = (chunkId: string, state: 'DONE' | 'RUNNING', more: { readonly later?: number } = {}) => ({
  chunkId,
  fence: 1,
  state,
  task: writeTask({ ...task, ...more }),
});

/** Copies that end when the test says so. */
function openCopies() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const stopped: string[] = [];
  const copyAhead: ChunkFiles['copyAhead'] = (_scratch, id, { signal } = {}) =>
    new Promise((resolve, reject) => {
      begun.push(id);
      ends.set(id, resolve);
      signal?.addEventListener('abort', () => {
        stopped.push(id);
        reject(signal.reason);
      });
    });
  const ahead = copyChunksAhead({ copyAhead }, { scratch, signal: new AbortController().signal });
  return { ahead, begun, stopped, end: (id: string) => ends.get(id)?.() };
}

test('each encoded chunk is copied once, while others are still being encoded', async () => {
  const { ahead, begun, end } = openCopies();
  ahead.add([chunkOf('a', 'DONE'), chunkOf('b', 'RUNNING')]);
  ahead.add([chunkOf('a', 'DONE'), chunkOf('b', 'DONE')]);
  await expect.poll(() => begun).toEqual(['a.1', 'b.1']);
  for (const id of begun) end(id);
  await ahead.settle();
});

test('a chunk that will be encoded again is not copied', async () => {
  const { ahead, begun } = openCopies();
  ahead.add([chunkOf('trial', 'DONE', { later: 10 })]);
  await ahead.settle();
  expect(begun).toEqual([]);
});

test('no copy runs any more when the copies are stopped', async () => {
  const { ahead, begun, stopped } = openCopies();
  ahead.add([chunkOf('a', 'DONE')]);
  await expect.poll(() => begun).toEqual(['a.1']);
  await ahead.stop();
  expect(stopped).toEqual(['a.1']);
});

test('a copy that fails fails nothing else, and a store that links needs no copies', async () => {
  const { signal } = new AbortController();
  const failing = copyChunksAhead({ copyAhead: () => Promise.reject(new Error('no space')) }, { scratch, signal });
  failing.add([chunkOf('a', 'DONE')]);
  await expect(failing.settle()).resolves.toBe(undefined);
  const linking = copyChunksAhead({}, { scratch, signal });
  linking.add([chunkOf('a', 'DONE')]);
  await expect(linking.settle()).resolves.toBe(undefined);
});
