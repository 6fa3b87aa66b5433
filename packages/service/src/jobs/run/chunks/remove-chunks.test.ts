import { expect, test } from 'vitest';
import type { ChunkFiles } from '../../ports/chunk-files.ts';
import type { Chunk, ChunkStore } from '../../ports/chunk-store.ts';
import { dropChunks, dropUnused } from './remove-chunks.ts';

/** Chunks that a job leaves, and the files that are removed. */
function harness(left: readonly Pick<Chunk, 'chunkId' | 'fence'>[]) {
  const removed: string[] = [];
  const chunks = {
    remove: async () => left,
    fileIds: async () => new Set(left.map(({ chunkId, fence }) => `${chunkId}.${fence}`)),
  } as unknown as ChunkStore;
  const chunkFiles = { remove: async (ids: readonly string[]) => void removed.push(...ids) } as unknown as ChunkFiles;
  return { deps: { chunks, chunkFiles }, removed };
}

test('with the chunks of a job go the files of all claims, also of those that were lost', async () => {
  const { deps, removed } = harness([
    { chunkId: 'a', fence: 2 },
    { chunkId: 'b', fence: 0 },
    { chunkId: 'c', fence: 1 },
  ]);
  await dropChunks(deps, 'job');
  expect(removed).toEqual(['a.1', 'a.2', 'c.1']);
});

test.each([
  ['is removed if another worker has claimed the chunk', 2, ['a.1']],
  ['is kept if the chunk was finished after all', 1, []],
])('the file of a lost claim %s', async (_what, fence, expected) => {
  const { deps, removed } = harness([{ chunkId: 'a', fence }]);
  await dropUnused(deps, { chunk: { chunkId: 'a' } as Chunk, fence: 1 });
  expect(removed).toEqual(expected);
});
