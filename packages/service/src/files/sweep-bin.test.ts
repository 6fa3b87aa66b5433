import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { expect, test } from 'vitest';
import type { BinEntry, BinStore } from './ports.ts';
import { type SweepBinDeps, sweepBin } from './sweep-bin.ts';

const entryOf = (entryId: string, clientId: string, bytes: number, deletedAt: number): BinEntry => ({
  ...{ entryId, clientId, bytes, path: `${entryId}.mp4`, counted: [] },
  ...{ deletedAt: `2026-01-0${deletedAt}T00:00:00.000Z`, expiresAt: '2026-02-01T00:00:00.000Z' },
});

/** Bins in memory. `expired`: the ids of expired entries. */
function world(entries: readonly BinEntry[], expired: readonly string[] = [], change: Partial<SweepBinDeps> = {}) {
  let left = [...entries].sort((a, b) => (a.deletedAt < b.deletedAt ? -1 : 1));
  const postponed: string[] = [];
  const failures: string[] = [];
  const ofClient = (clientId: string | undefined) =>
    left.filter((entry) => clientId === undefined || entry.clientId === clientId);
  const bin = {
    oldest: async (clientId: string | undefined, limit: number) => ofClient(clientId).slice(0, limit),
    expired: async (limit: number) =>
      left.filter(({ entryId }) => expired.includes(entryId) && !postponed.includes(entryId)).slice(0, limit),
    postpone: async (entryId: string) => void postponed.push(entryId),
    remove: async (entryId: string) => {
      left = left.filter((entry) => entry.entryId !== entryId);
      return true;
    },
    used: async (clientId: string) => ofClient(clientId).reduce((sum, { bytes }) => sum + bytes, 0),
    clients: async () => [...new Set(left.map(({ clientId }) => clientId))],
  } as unknown as BinStore;
  const deps: SweepBinDeps = {
    bin,
    store: { purgeFromBin: async () => {} },
    stored: { used: async () => 50 },
    clientOf: async (clientId) => ({ root: {} as MediaRoot, storage: clientId === 'unlimited' ? undefined : 100 }),
    isFull: async () => false,
    leases: { take: async () => true, release: async () => {} },
    onFailure: ({ entryId }) => void failures.push(entryId),
    ...change,
  };
  return { sweep: () => sweepBin(deps), left: () => left.map(({ entryId }) => entryId), failures, postponed };
}

test('deletes expired entries, and no others', async () => {
  const { sweep, left } = world([entryOf('a', 'amy', 1, 1), entryOf('b', 'amy', 1, 2)], ['b']);
  await sweep();
  expect(left()).toEqual(['a']);
});

test('the oldest entries give up their room when files and bin exceed the quota of the client', async () => {
  const entries = [entryOf('old', 'amy', 30, 1), entryOf('newer', 'amy', 20, 2), entryOf('newest', 'amy', 20, 3)];
  const { sweep, left } = world([...entries, entryOf('other', 'unlimited', 1000, 1)]);
  await sweep();
  expect(left().sort()).toEqual(['newer', 'newest', 'other']);
});

test('the oldest entries of all clients are deleted while the disk is nearly full', async () => {
  let looks = 0;
  const isFull = async (): Promise<boolean> => {
    looks += 1;
    return looks < 3;
  };
  const { sweep, left } = world(
    [1, 2, 3, 4].map((day) => entryOf(`e${day}`, 'unlimited', 1, day)),
    [],
    { isFull },
  );
  await sweep();
  expect(left()).toEqual(['e3', 'e4']);
});

test('an entry whose files cannot be deleted is put off, and keeps no other one', async () => {
  const purgeFromBin = async (_root: MediaRoot, entryId: string): Promise<void> => {
    if (entryId === 'bad') throw new Error('The folder cannot be read.');
  };
  const { sweep, left, failures, postponed } = world(
    [entryOf('bad', 'amy', 1, 1), entryOf('b', 'amy', 1, 2)],
    ['bad', 'b'],
    {
      store: { purgeFromBin },
    },
  );
  await sweep();
  expect([left(), failures, postponed]).toEqual([['bad'], ['bad'], ['bad']]);
});

test('one process at a time deletes entries, and one that stops ends its round', async () => {
  const entries = [entryOf('a', 'amy', 1, 1)];
  const busy = world(entries, ['a'], { leases: { take: async () => false, release: async () => {} } });
  await busy.sweep();
  const stopped = world(entries, ['a'], { stopping: AbortSignal.abort() });
  await stopped.sweep();
  expect([busy.left(), stopped.left()]).toEqual([['a'], ['a']]);
});
