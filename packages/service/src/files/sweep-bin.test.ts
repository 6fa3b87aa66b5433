import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { expect, test } from 'vitest';
import { memoryBin } from '../../../../test/support/memory-bin.ts';
import type { BinEntry, FilesInBin } from './ports.ts';
import { type SweepBinDeps, sweepBin } from './sweep-bin.ts';

const entryOf = (entryId: string, clientId: string, bytes: number, deletedAt: number): BinEntry => ({
  ...{ entryId, clientId, bytes, path: `${entryId}.mp4`, counted: [], data: '' },
  ...{ deletedAt: `2026-01-0${deletedAt}T00:00:00.000Z`, expiresAt: '2026-02-01T00:00:00.000Z' },
});

/** Bins in memory. `expired`: the ids of expired entries. */
function world(entries: readonly BinEntry[], expired: readonly string[] = [], change: Partial<SweepBinDeps> = {}) {
  const bin = memoryBin(entries, expired);
  const failures: string[] = [];
  const deps: SweepBinDeps = {
    bin,
    store: { purgeFromBin: async () => true },
    stored: { used: async () => 50 },
    clientOf: async (clientId) => ({ root: {} as MediaRoot, storage: clientId === 'unlimited' ? undefined : 100 }),
    isFull: async () => false,
    leases: { take: async () => true, release: async () => {} },
    onFailure: ({ clientId, entryId }) => void failures.push(entryId ?? clientId),
    ...change,
  };
  return { sweep: () => sweepBin(deps), left: bin.ids, failures, bin };
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
  expect(left().toSorted()).toEqual(['newer', 'newest', 'other']);
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

const purgeBut = (bad: string) => ({
  purgeFromBin: async (_root: MediaRoot, { entryId }: FilesInBin): Promise<boolean> => {
    if (entryId.startsWith(bad)) throw new Error('The folder cannot be read.');
    return true;
  },
});

test('an entry whose files cannot be deleted is put off, and keeps no other one', async () => {
  const entries = [entryOf('bad', 'amy', 1, 1), entryOf('b', 'amy', 1, 2)];
  const { sweep, left, failures, bin } = world(entries, ['bad', 'b'], { store: purgeBut('bad') });
  await sweep();
  expect([left(), failures, bin.postponed]).toEqual([['bad'], ['bad'], ['bad']]);
});

test('a client whose files cannot be deleted, or that cannot be read, does not stop the sweep of the others', async () => {
  const entries = [
    ...[entryOf('bad-1', 'amy', 60, 1), entryOf('bad-2', 'amy', 60, 2)],
    ...[entryOf('x', 'broken', 60, 3), entryOf('b', 'bob', 60, 4), entryOf('c', 'bob', 10, 5)],
  ];
  const clientOf: SweepBinDeps['clientOf'] = async (clientId) => {
    if (clientId === 'broken') throw new Error('Its record cannot be read.');
    return { root: {} as MediaRoot, storage: 100 };
  };
  const { sweep, left, failures } = world(entries, [], { store: purgeBut('bad'), clientOf });
  await sweep();
  expect(left()).toEqual(['bad-1', 'bad-2', 'x', 'c']);
  expect(failures, 'one report for each client').toEqual(['bad-1', 'broken']);
});

test('while the disk is full, a client whose files cannot be deleted loses one entry a round, and others give room', async () => {
  const entries = [1, 2, 3].map((day) => entryOf(`bad-${day}`, 'amy', 1, day));
  let looks = 0;
  const { sweep, left, bin } = world([...entries, entryOf('b', 'unlimited', 1, 4)], [], {
    store: purgeBut('bad'),
    isFull: async () => {
      looks += 1;
      return looks < 9;
    },
  });
  await sweep();
  expect(left()).toEqual(['bad-1', 'bad-2', 'bad-3']);
  expect((await bin.oldest('amy', 9)).map(({ entryId }) => entryId)).toEqual(['bad-2', 'bad-3']);
});

test('an entry whose disk is not mounted waits for it a month, and then is dropped', async () => {
  const givenUpAt = (daysAgo: number) => ({ givenUpAt: new Date(Date.now() - daysAgo * 86_400_000).toISOString() });
  const old = { ...entryOf('old', 'bob', 1, 1), ...givenUpAt(31) };
  const recent = { ...entryOf('recent', 'amy', 1, 1), ...givenUpAt(29) };
  // It was deleted long ago, but its disk is looked for only now.
  const expired = { ...entryOf('expired', 'eve', 1, 1), deletedAt: '2020-01-01T00:00:00.000Z' };
  const { sweep, left, failures, bin } = world([old, recent, expired], ['expired'], {
    store: { purgeFromBin: async () => false },
  });
  await sweep();
  expect([left(), failures]).toEqual([
    ['expired', 'recent'],
    ['expired', 'old', 'recent'],
  ]);
  expect(bin.postponed).toEqual(expect.arrayContaining(['expired', 'recent']));
});

test('an entry that is being restored is left alone', async () => {
  const { sweep, left, bin } = world([entryOf('a', 'amy', 200, 1), entryOf('b', 'amy', 200, 2)], ['a']);
  await bin.hold('a', { holder: 'restore', seconds: 60 });
  await sweep();
  expect([left(), bin.postponed]).toEqual([['a'], []]);
});

test('one process at a time deletes entries, and one that stops ends its round', async () => {
  const entries = [entryOf('a', 'amy', 1, 1)];
  const busy = world(entries, ['a'], { leases: { take: async () => false, release: async () => {} } });
  await busy.sweep();
  const stopped = world(entries, ['a'], { stopping: AbortSignal.abort() });
  await stopped.sweep();
  expect([busy.left(), stopped.left()]).toEqual([['a'], ['a']]);
});
