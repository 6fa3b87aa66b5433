import type { Caller } from '@telecine/contract/domain/client.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import { expect, test } from 'vitest';
import { type BinDeps, deletePaths, restoreEntry } from './bin.ts';
import type { BinEntry, BinStore, OpenFile } from './ports.ts';

const AMY = { clientId: 'amy', root: { pathPrefix: '/srv/media', grants: [] }, policy: {} } as unknown as Caller;

const fails = (code: ProblemCode) => async (): Promise<never> => {
  throw new Problem(code, 'It failed.');
};

/** A bin in memory. `entries`: its entries by id. */
function world(change: Partial<BinDeps['store']> = {}, keepSeconds = 60) {
  const entries = new Map<string, BinEntry>();
  const bin = {
    add: async (entry: BinEntry) => void entries.set(entry.entryId, entry),
    find: async (_clientId: string, entryId: string) => entries.get(entryId),
    remove: async (entryId: string) => entries.delete(entryId),
  } as unknown as BinStore;
  const deps: BinDeps = {
    bin,
    keepSeconds,
    store: {
      open: async () => ({ sizeBytes: 5, close: async () => {} }) as OpenFile,
      keepInBin: async () => {},
      restoreFromBin: async () => undefined,
      purgeFromBin: async () => {},
      ...change,
    },
    stored: { find: async () => [], below: async () => [], count: async () => {} },
    recount: async () => {},
    unfinished: { findUnfinished: async () => undefined },
  };
  const keep = () => deletePaths(deps, AMY, { paths: ['a.mp4'], keep: true }, async () => {});
  return { entries, deps, keep };
}

test('an entry whose file surely stayed is dropped, and one whose file may be in the bin is kept', async () => {
  const missing = world({ keepInBin: fails('FILE_NOT_FOUND') });
  expect((await missing.keep()).failed).toMatchObject([{ problem: { code: 'FILE_NOT_FOUND' } }]);
  expect(missing.entries.size).toBe(0);
  const unclear = world({ keepInBin: fails('STORAGE_FAULT') });
  expect((await unclear.keep()).failed).toMatchObject([{ problem: { code: 'STORAGE_FAULT' } }]);
  expect([...unclear.entries.values()]).toMatchObject([{ path: 'a.mp4', bytes: 5 }]);
});

test('an entry without files is dropped when it is to be restored, and one whose path is taken is kept', async () => {
  for (const [code, left] of [
    ['FILE_NOT_FOUND', 0],
    ['FILE_EXISTS', 1],
  ] as const) {
    const { deps, entries, keep } = world({ restoreFromBin: fails(code) });
    await keep();
    const [entryId = ''] = entries.keys();
    await expect(restoreEntry(deps, AMY, entryId, undefined)).rejects.toMatchObject({ code });
    expect(entries.size, code).toBe(left);
  }
});

test('a service that keeps nothing refuses to, and deletes nothing', async () => {
  const { keep } = world({}, 0);
  await expect(keep()).rejects.toMatchObject({ errors: [{ field: '/keep', code: 'NOT_KEPT' }] });
});
