import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { expect, test, vi } from 'vitest';
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
    lacking: async () => 0,
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
  const { sweep, left } = world(
    [1, 2, 3, 4].map((day) => entryOf(`e${day}`, 'unlimited', 1, day)),
    [],
    { lacking: async () => left().length - 2 },
  );
  await sweep();
  expect(left()).toEqual(['e3', 'e4']);
});

/** Many entries of a client with the same size, all from one day. */
const manyOf = (clientId: string, count: number, bytes: number, deletedAt: number): readonly BinEntry[] =>
  Array.from({ length: count }, (_, index) => entryOf(`${clientId}-${index}`, clientId, bytes, deletedAt));

test('thousands of tiny older entries do not keep large ones above the quota, or on a full disk, for another round', async () => {
  const entries = (clientId: string) => [...manyOf(clientId, 3000, 1, 1), entryOf('large', clientId, 1e9, 2)];
  const quota = world(entries('amy'));
  await quota.sweep();
  expect(quota.left()).not.toContain('large');
  const disk = world(entries('unlimited'), [], {
    lacking: async () => (disk.left().includes('large') ? 1e8 : 0),
  });
  await disk.sweep();
  expect(disk.left()).toEqual(manyOf('unlimited', 3000, 1, 1).map(({ entryId }) => entryId));
});

test('entries that are all tiny give room too', async () => {
  const { sweep, left } = world(manyOf('amy', 3000, 1, 1));
  for (let rounds = 0; rounds < 3; rounds += 1) await sweep();
  expect(left()).toHaveLength(50);
});

test('a client with many entries takes no step of another client, of a full disk, or of expired entries', async () => {
  const many = manyOf('amy', 4000, 100, 1);
  const entries = [
    ...many,
    entryOf('b', 'bob', 60, 2),
    entryOf('full', 'unlimited', 1e6, 3),
    entryOf('e', 'eve', 1, 4),
  ];
  const { sweep, left } = world(entries, ['e'], { lacking: async () => (left().includes('full') ? 1e6 : 0) });
  await sweep();
  const [ofAmy, ofOthers] = [left().filter((id) => id.startsWith('amy')), left().filter((id) => !id.startsWith('amy'))];
  expect([ofAmy.length, ofOthers]).toEqual([3500, []]);
});

test('a client above its quota makes room on a full disk before older entries of the others', async () => {
  const entries = [entryOf('older', 'unlimited', 500, 1), entryOf('a', 'amy', 500, 2)];
  const { sweep, left } = world(entries, [], { lacking: async () => (left().length > 1 ? 100 : 0) });
  await sweep();
  expect(left()).toEqual(['older']);
});

test('the bin of a client is added up once in a round', async () => {
  const { bin, sweep, left } = world(manyOf('amy', 30, 10, 1));
  const used = vi.spyOn(bin, 'used');
  await sweep();
  expect([left().length, used.mock.calls]).toEqual([5, [['amy']]]);
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
  expect(failures, 'one report for each client').toEqual(['broken', 'bad-1']);
});

test('while the disk is full, a client whose files cannot be deleted loses one entry a round, and others give room', async () => {
  const entries = [1, 2, 3].map((day) => entryOf(`bad-${day}`, 'amy', 1, day));
  const { sweep, left, bin } = world([...entries, entryOf('b', 'unlimited', 1, 4)], [], {
    store: purgeBut('bad'),
    lacking: async () => 100,
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
