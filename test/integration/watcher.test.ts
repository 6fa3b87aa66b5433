import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DEFAULT_SCOPES, type Scope } from '../../packages/contract/src/domain/client.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { StoreUnavailable } from '../../packages/contract/src/domain/store-errors.ts';
import type { Watch } from '../../packages/contract/src/domain/watch.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import type { WatchDeps } from '../../packages/service/src/watches/watch-deps.ts';
import type { FoundFile, WatchedFolders } from '../../packages/service/src/watches/watched-folders.ts';
import type { startWatcher } from '../../packages/service/src/watches/watcher.ts';
import type { World } from '../contracts/engine.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { changeWatch } from '../support/change-watch.ts';
import { waitUntil } from '../support/wait.ts';
import {
  movedClocks,
  nextRound,
  startWatchService,
  WATCH_ID,
  type WatchService,
  watchOf,
} from '../support/watch-service.ts';
import { type WatchedFolderFake, watchedFolder } from '../support/watched-folder.ts';

/** Waits until a condition is true. */
const waitFor = (isTrue: () => Promise<boolean>): Promise<unknown> =>
  waitUntil(String(isTrue), async () => (await isTrue()) || undefined);

type Deps = Parameters<typeof startWatcher>[0];

interface Setting extends WatchService {
  readonly folder: WatchedFolderFake;
}

async function start(
  watch: Watch,
  before: (setting: { folder: WatchedFolderFake }) => void = () => {},
  more: Partial<Deps> = {},
): Promise<Setting> {
  const world = await sqlite.open();
  const folder = watchedFolder();
  before({ folder });
  await world.store.watches.add(watch, 20);
  return startOn(world, folder, more);
}

/** Starts a service on a store. */
async function startOn(
  world: World,
  folder: WatchedFolderFake,
  more: Partial<Deps> = {},
  lookMs?: number,
): Promise<Setting> {
  const files: WatchDeps['files'] = {
    move: async (_caller, { from, to, check }) => {
      check?.((await folder.folders.find({} as never, from as MediaPath)) as never);
      folder.rename(from, to);
      return { kind: 'file', path: to as MediaPath } as never;
    },
    removeAll: async (_caller, { paths: [path = ''], check }) => {
      check?.((await folder.folders.find({} as never, path as MediaPath)) as never);
      folder.remove(path);
      return { deleted: [{ path }], failed: [] };
    },
  };
  return Object.assign(
    await startWatchService(world, { folders: folder.folders, files, ...(lookMs && { lookMs }), ...more }),
    { folder },
  );
}

/** Waits until the folder was listed once more from now on. */
async function nextList({ folder }: Pick<Setting, 'folder'>): Promise<void> {
  // A list that runs began before.
  const before = folder.lists();
  await waitFor(async () => folder.lists() > before + 1);
}

test('files that are there and files that land later are each converted once', async () => {
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.put('in/sub/b.mov');
  setting.folder.put('in/c.txt');
  setting.folder.put('other/d.mov');
  await waitFor(async () => (await setting.inputs()).length === 2);
  await setting.complete();
  await setting.complete();
  setting.folder.put('in/e.mov');
  await waitFor(async () => (await setting.inputs()).length === 3);
  expect(await setting.inputs()).toEqual(['in/a.mov', 'in/sub/b.mov', 'in/e.mov']);
  expect(await setting.states()).toEqual({
    ...{ 'in/a.mov': 'CONVERTED', 'in/sub/b.mov': 'CONVERTED', 'in/e.mov': 'SUBMITTED' },
  });
});

test('two services that both scan the folder convert each file once', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `in/${index}.mov`);
  const first = await start(watchOf({ maxUnfinished: 100 }), ({ folder }) => {
    for (const name of names.slice(0, 30)) folder.put(name);
  });
  await startOn(first.world, first.folder);
  for (const name of names.slice(30)) first.folder.put(name);
  await waitFor(async () => (await first.inputs()).length >= 60);
  await nextList(first);
  expect((await first.inputs()).toSorted()).toEqual(names.toSorted());
});

test('a service that starts again converts nothing twice', async () => {
  const first = await start(watchOf(), ({ folder }) => {
    for (const name of ['in/a.mov', 'in/b.mov']) folder.put(name);
  });
  await waitFor(async () => (await first.inputs()).length === 2);
  await first.complete();
  await first.watcher.stop();
  first.folder.put('in/c.mov');
  const second = await startOn(first.world, first.folder);
  await waitFor(async () => (await second.inputs()).length === 3);
  expect(await second.inputs()).toEqual(['in/a.mov', 'in/b.mov', 'in/c.mov']);
});

test('a folder that goes away and comes back makes no new jobs, and the watch says since when it is away', async () => {
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'));
  const { watches } = setting.world.store;
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.setReachable(false);
  await waitFor(async () => (await watches.get(WATCH_ID))?.unreachableSince !== undefined);
  expect(await setting.states()).toEqual({ 'in/a.mov': 'SUBMITTED' });
  setting.folder.setReachable(true);
  setting.folder.put('in/b.mov');
  await waitFor(async () => (await setting.inputs()).length === 2);
  await waitFor(async () => (await watches.get(WATCH_ID))?.unreachableSince === undefined);
  expect(await setting.inputs()).toEqual(['in/a.mov', 'in/b.mov']);
});

test('folders on shares that hang keep no other watch waiting for its first scan', async () => {
  const world = await sqlite.open();
  const [folder, share] = [watchedFolder(), watchedFolder()];
  share.hang();
  folder.put('in/a.mov');
  const hanging = Array.from({ length: 8 }, (_, index) =>
    watchOf({ watchId: `hanging-${index}`, folder: `nas/${index}/` }),
  );
  for (const watch of hanging) await world.store.watches.add(watch, 20);
  const isShare = (path: string): boolean => path.startsWith('nas/');
  const folders: WatchedFolders = {
    ...folder.folders,
    reach: (root, path) => (isShare(path) ? share : folder).folders.reach(root, path),
  };
  const setting = await startOn(world, folder, { folders });
  await world.store.watches.add(watchOf(), 20);
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => (await setting.inputs()).length === 1);
  expect(await setting.inputs()).toEqual(['in/a.mov']);
  await setting.watcher.stop();
});

test('a service lists three folders of a client at a time, each of the others after one of them, and those of others meanwhile', async () => {
  const world = await sqlite.open();
  const folder = watchedFolder();
  const names = Array.from({ length: 9 }, (_, index) => `in/${index}/`);
  const rare = { every: 3600 };
  for (const [index, one] of names.entries())
    await world.store.watches.add(watchOf({ watchId: `w${index}`, folder: one, ...rare }), 20);
  await world.store.watches.add(watchOf({ watchId: 'x', folder: 'bob/', clientId: 'bob', ...rare }), 20);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const folders: WatchedFolders = {
    ...folder.folders,
    list: async (root, path, signal) => {
      begun.push(path);
      if (path !== 'bob/') await new Promise<void>((resolve) => ends.push(resolve));
      return folder.folders.list(root, path, signal);
    },
  };
  await startOn(world, folder, { folders });
  for (let ended = 0; ended < names.length; ended += 1) {
    await waitFor(async () => begun.includes('bob/') && begun.length - 1 === Math.min(ended + 3, names.length));
    ends.shift()?.();
  }
  expect(begun.toSorted()).toEqual(['bob/', ...names].toSorted());
});

/** Lets the run of a watch end and another one begin: by pausing and resuming the watch, or by a new watch of the same folder. */
const AGAIN = {
  changed: async ({ world }: Setting): Promise<void> => {
    const { patterns = [] } = (await world.store.watches.get(WATCH_ID)) ?? {};
    const change = { patterns: [...patterns, `*.${patterns.length}`] };
    await changeWatch(world.store.watches, WATCH_ID, change, new Date().toISOString());
  },
  'resumed while active': async ({ world }: Setting): Promise<void> => {
    await changeWatch(world.store.watches, WATCH_ID, { state: 'ACTIVE' }, new Date().toISOString());
  },
  resumed: async ({ world, watcher }: Setting): Promise<void> => {
    await changeWatch(world.store.watches, WATCH_ID, { state: 'PAUSED' }, new Date().toISOString());
    watcher.wake(WATCH_ID);
    await delay(100);
    await changeWatch(world.store.watches, WATCH_ID, { state: 'ACTIVE' }, new Date().toISOString());
  },
  'made again': async ({ world, watcher }: Setting): Promise<void> => {
    await world.store.watches.remove(WATCH_ID);
    watcher.wake(WATCH_ID);
    await delay(100);
    await world.store.watches.add(watchOf({ every: 3600 }), 20);
  },
} as const;

test.each(Object.entries(AGAIN))(
  'a watch that is %s has its folder listed a second after the last time, and not before',
  async (_how, again) => {
    let nowMs = 0;
    const setting = await start(watchOf({ every: 3600 }), undefined, { monotonic: () => nowMs });
    await waitFor(async () => setting.folder.lists() === 1);
    for (let times = 0; times < 3; times += 1) {
      await again(setting);
      await nextRound(setting);
    }
    expect(setting.folder.lists()).toBe(1);
    nowMs = 1000;
    await again(setting);
    await nextRound(setting);
    await waitFor(async () => setting.folder.lists() === 2);
  },
);

test('a folder whose list takes long is listed rarely, and ten times as often while a file becomes whole', async () => {
  let nowMs = 0;
  const [world, folder] = [await sqlite.open(), watchedFolder()];
  await world.store.watches.add(watchOf({ settleSeconds: 10 }), 20);
  const folders: WatchedFolders = {
    ...folder.folders,
    list: async (root, path, signal) => {
      nowMs += 6000;
      return folder.folders.list(root, path, signal);
    },
  };
  const setting = await startOn(world, folder, { folders, monotonic: () => nowMs });
  const listsAt = async (ms: number): Promise<number> => {
    nowMs = ms;
    await nextRound(setting);
    return folder.lists();
  };
  await waitFor(async () => folder.lists() === 1);
  expect([await listsAt(65_999), await listsAt(66_000)]).toEqual([1, 2]);
  folder.put('in/a.mov');
  expect([await listsAt(131_999), await listsAt(132_000)]).toEqual([2, 3]);
  expect([await listsAt(147_999), await listsAt(148_000)]).toEqual([3, 4]);
  await waitFor(async () => (await setting.inputs()).length === 1);
});

test('a watch of a folder without changes asks nothing of the ledger', async () => {
  const world = await sqlite.open();
  const [folder, ledger] = [watchedFolder(), world.store.watchLedger];
  folder.put('in/a.mov');
  await world.store.watches.add(watchOf(), 20);
  let finds = 0;
  const find: typeof ledger.find = (...args) => {
    finds += 1;
    return ledger.find(...args);
  };
  const setting = await startOn(world, folder, { ledger: { ...ledger, find } });
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.complete();
  await nextList(setting);
  const before = finds;
  await nextList(setting);
  expect(finds).toBe(before);
});

test('a change of the request during a list is for the files that it finds', async () => {
  const [world, folder] = [await sqlite.open(), watchedFolder()];
  folder.put('in/a.mov');
  await world.store.watches.add(watchOf(), 20);
  const released = Promise.withResolvers<void>();
  const folders: WatchedFolders = {
    ...folder.folders,
    list: async (...args) => {
      const listed = await folder.folders.list(...args);
      await released.promise;
      return listed;
    },
  };
  const setting = await startOn(world, folder, { folders });
  await waitFor(async () => folder.lists() === 1);
  await changeWatch(world.store.watches, WATCH_ID, { request: { output: 'new/{name}.mp4' } }, new Date().toISOString());
  setting.watcher.wake(WATCH_ID);
  released.resolve();
  await waitFor(async () => (await setting.inputs()).length === 1);
  const [job] = await world.store.jobs.list({ limit: 1 });
  expect(job?.request.output).toBe('new/a.mp4');
});

test('a renamed file keeps its conversion, and an own output that lands in the folder is skipped', async () => {
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.complete([{ path: 'in/made.mp4', sizeBytes: 10 }]);
  setting.folder.rename('in/a.mov', 'in/b.mov');
  setting.folder.put('in/made.mp4');
  await waitFor(async () => 'in/made.mp4' in (await setting.states()) && 'in/b.mov' in (await setting.states()));
  expect(await setting.states()).toEqual({ 'in/b.mov': 'CONVERTED', 'in/made.mp4': 'SKIPPED' });
  expect(await setting.inputs()).toEqual(['in/a.mov']);
});

test('an own output is known also if it waits for its turn for more than a month', async () => {
  const setting = await start(watchOf({ maxUnfinished: 1 }), ({ folder }) => {
    for (let number = 10; number < 40; number += 1) folder.put(`in/${number}.mov`);
  });
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.complete([{ path: 'in/made.mp4', sizeBytes: 10 }]);
  setting.folder.put('in/made.mp4');
  await waitFor(async () => (await setting.states())['in/made.mp4'] === 'SKIPPED');
  // It was not its turn yet.
  const states = Object.values(await setting.states());
  expect(states.filter((state) => state === 'READY').length).toBeGreaterThan(20);
});

test('at most so many jobs are unfinished, and each that ends makes room for the next', async () => {
  const setting = await start(watchOf({ maxUnfinished: 2 }), ({ folder }) => {
    for (const name of ['a', 'b', 'c']) folder.put(`in/${name}.mov`);
  });
  const { watches } = setting.world.store;
  await waitFor(async () => (await watches.get(WATCH_ID))?.waitingFor === 'slots');
  expect(await setting.inputs()).toHaveLength(2);
  await setting.complete();
  await waitFor(async () => (await setting.inputs()).length === 3);
  await waitFor(async () => (await watches.get(WATCH_ID))?.waitingFor === undefined);
});

test('a new version is converted if asked, once the job for the old one has ended', async () => {
  const setting = await start(watchOf({ changed: 'convert' }), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.put('in/a.mov');
  await setting.complete();
  await waitFor(async () => (await setting.inputs()).length === 2);
  const [newest] = await setting.world.store.jobs.list({ limit: 1 });
  expect(newest?.request.parameters).toEqual({ y: 'true' });
});

test('a clock that is set back by a day delays no file', async () => {
  let aheadMs = 24 * 3_600_000;
  const now = (): Date => new Date(Date.now() + aheadMs);
  const setting = await start(
    watchOf({ maxUnfinished: 1 }),
    ({ folder }) => {
      for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
    },
    { now },
  );
  const { watches } = setting.world.store;
  await waitFor(async () => (await watches.get(WATCH_ID))?.waitingFor === 'slots');
  await setting.fail({ code: 'FFMPEG_FAILED', message: 'It failed.' });
  // One file is ready, and one is to be tried again in a minute, both by a time that is tomorrow.
  aheadMs = 0;
  for (const count of [2, 3]) {
    setting.watcher.wake(WATCH_ID);
    await waitFor(async () => (await setting.inputs()).length === count);
    await setting.complete();
  }
  expect((await setting.inputs()).toSorted()).toEqual(['in/a.mov', 'in/a.mov', 'in/b.mov']);
});

test('with "existing": "ignore", only files that land later are converted', async () => {
  const setting = await start(watchOf({ existing: 'ignore' }), ({ folder }) => folder.put('in/old.mov'));
  await waitFor(async () => (await setting.world.store.watches.get(WATCH_ID))?.firstScanAt !== undefined);
  setting.folder.put('in/new.mov');
  await waitFor(async () => (await setting.inputs()).length === 1);
  expect(await setting.states()).toEqual({ 'in/old.mov': 'SKIPPED', 'in/new.mov': 'SUBMITTED' });
});

test('with "existing": "ignore", files of a disk that is away at first existed before the watch, and later ones did not', async () => {
  const setting = await start(watchOf({ existing: 'ignore' }), ({ folder }) => {
    folder.put('in/old.mov');
    folder.setReachable(false);
  });
  const watch = () => setting.world.store.watches.get(WATCH_ID);
  await waitFor(async () => (await watch())?.unreachableSince !== undefined);
  expect((await watch())?.firstScanAt).toBeUndefined();
  setting.folder.setReachable(true);
  await waitFor(async () => (await watch())?.firstScanAt !== undefined);
  setting.folder.put('in/new.mov');
  await waitFor(async () => (await setting.inputs()).length === 1);
  expect(await setting.states()).toEqual({ 'in/old.mov': 'SKIPPED', 'in/new.mov': 'SUBMITTED' });
});

test('a watch stops while its client lacks a scope, and says so', async () => {
  const setting = await start(watchOf());
  const { watches } = setting.world.store;
  const withScopes = (scopes: readonly Scope[]): void => {
    setting.caller = { ...setting.caller, scopes };
  };
  withScopes(['jobs:read']);
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => (await watches.get(WATCH_ID))?.stopped?.code === 'INSUFFICIENT_SCOPE');
  setting.folder.put('in/a.mov');
  withScopes(DEFAULT_SCOPES);
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => (await setting.inputs()).length === 1);
  expect((await watches.get(WATCH_ID))?.stopped).toBeUndefined();
});

test('a source is moved only after its outputs are proven', async () => {
  const setting = await start(watchOf({ source: { moveTo: 'done/' } }), ({ folder }) => {
    folder.put('in/sub/a.mov');
    folder.put('in/b.mov');
  });
  const rows = async () =>
    Object.fromEntries(
      (await setting.world.store.watchLedger.list(WATCH_ID, { limit: 9 })).map(({ path, source }) => [path, source]),
    );
  await waitFor(async () => (await setting.inputs()).length === 2);
  const [first] = await setting.inputs();
  // The output of one job exists with its size, and that of the other does not.
  const isSub = first === 'in/sub/a.mov';
  setting.folder.put('out/a.mp4', { bytes: 7 });
  await setting.complete();
  await setting.complete();
  const failures = async () =>
    (await setting.world.store.watchLedger.list(WATCH_ID, { limit: 9 })).flatMap(({ failure }) => failure?.code ?? []);
  await waitFor(async () => (await rows())['in/sub/a.mov'] !== undefined && (await failures()).length > 0);
  // The disk of the missing output may come back, so this source only waits, and says why.
  expect(await rows()).toEqual({ 'in/sub/a.mov': 'DONE', 'in/b.mov': undefined });
  expect(await failures()).toEqual(['FILE_NOT_FOUND']);
  expect(isSub || first === 'in/b.mov').toBe(true);
  expect(await setting.folder.folders.find({} as never, 'done/sub/a.mov' as MediaPath)).toBeDefined();
  expect(await setting.folder.folders.find({} as never, 'in/b.mov' as MediaPath)).toBeDefined();
});

test('a file that lands with the name of one that was moved just before a crash is a new file', async () => {
  const first = await start(watchOf({ source: { moveTo: 'done/' } }), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await first.inputs()).length === 1);
  await first.watcher.stop();
  const { watchLedger } = first.world.store;
  let crashes = 0;
  const ledger: WatchDeps['ledger'] = {
    ...watchLedger,
    update: async (file, change) => {
      if (change.source === 'DONE') crashes += 1;
      if (change.source !== 'DONE' || crashes > 1) return watchLedger.update(file, change);
      first.folder.put('in/a.mov');
      throw new StoreUnavailable();
    },
  };
  const setting = await startOn(first.world, first.folder, { ledger });
  setting.folder.put('out/a.mp4', { bytes: 7 });
  await setting.complete();
  await waitFor(async () => (await setting.inputs()).length === 2);
  const [newest] = await setting.world.store.jobs.list({ limit: 1 });
  expect(newest?.request.parameters).toBeUndefined();
  await setting.complete();
  await waitFor(
    async () => (await setting.folder.folders.find({} as never, 'done/a (2).mov' as MediaPath)) !== undefined,
  );
  expect(await setting.inputs()).toEqual(['in/a.mov', 'in/a.mov']);
});

test('an outage of the database is no failure of a source, and does not delay it by a minute', async () => {
  const first = await start(watchOf({ source: { moveTo: 'done/' } }), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await first.inputs()).length === 1);
  await first.watcher.stop();
  const { watchLedger } = first.world.store;
  let looks = 0;
  const ledger: WatchDeps['ledger'] = {
    ...watchLedger,
    sourcesToSettle: async (...args) => {
      looks += 1;
      if (looks === 1) throw new StoreUnavailable();
      return watchLedger.sourcesToSettle(...args);
    },
  };
  const setting = await startOn(first.world, first.folder, { ledger });
  setting.folder.put('out/a.mp4', { bytes: 7 });
  await setting.complete();
  await waitFor(async () => looks > 0);
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => (await setting.folder.folders.find({} as never, 'done/a.mov' as MediaPath)) !== undefined);
  expect(await setting.inputs()).toEqual(['in/a.mov']);
});

test('on a disk without inode numbers, a move that begins again after a crash replaces no file of equal size', async () => {
  const file = { fileKey: undefined } as unknown as Partial<FoundFile>;
  const first = await start(watchOf({ source: { moveTo: 'done/' } }), ({ folder }) => folder.put('in/a.mov', file));
  await waitFor(async () => (await first.inputs()).length === 1);
  await first.watcher.stop();
  const { watchLedger } = first.world.store;
  const crashed = Promise.withResolvers<void>();
  const ledger: WatchDeps['ledger'] = {
    ...watchLedger,
    update: async (row, change) => {
      await watchLedger.update(row, change);
      crashed.resolve(second.watcher.stop());
      throw new Error('killed');
    },
  };
  const second: Setting = await startOn(first.world, first.folder, { ledger });
  second.folder.put('out/a.mp4', { bytes: 7 });
  await second.complete();
  await crashed.promise;
  first.folder.put('done/a.mov', file);
  const found = (path: string) => first.folder.folders.find({} as never, path as MediaPath);
  const theirs = await found('done/a.mov');
  await startOn(first.world, first.folder);
  await waitFor(async () => (await found('in/a.mov')) === undefined);
  expect((await found('done/a.mov'))?.version).toBe(theirs?.version);
  expect(await found('done/a (2).mov')).toBeDefined();
});

test('a rejected request waits for a person, and a used-up quota only delays', async () => {
  let rejects: Problem | undefined = new Problem('QUOTA_EXCEEDED', 'Full.', { retryAfterSeconds: 5 });
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'), {});
  await setting.watcher.stop();
  const { store } = setting.world;
  const second = await startOn(setting.world, setting.folder, {
    jobs: {
      submitWatched: async () => {
        throw rejects ?? new Problem('INVALID_REQUEST', 'Wrong.', { errors: [] });
      },
      get: store.jobs.get,
      outputs: store.jobs.outputs,
    },
  });
  second.folder.put('in/b.mov');
  await waitFor(async () => (await store.watches.get(WATCH_ID))?.waitingFor === 'quota');
  expect((await second.states())['in/b.mov']).toBe('READY');
  rejects = undefined;
  second.watcher.wake(WATCH_ID);
  await waitFor(async () => (await second.states())['in/b.mov'] === 'NEEDS_ATTENTION');
});

test('files that are still growing do not keep others waiting', async () => {
  const world = await sqlite.open();
  const folder = watchedFolder();
  const { watches, watchLedger } = world.store;
  await watches.add(watchOf({ settleSeconds: 3600 }), 20);
  // They were whole once, and grow again since then: as many as are submitted at a time, and due before the other.
  const growing = Array.from({ length: 20 }, (_, index) => `in/${index}.mov`);
  const readyOf = (path: string) => ({ path: path as MediaPath, version: 'old', bytes: 10, state: 'READY' as const });
  const none = { changed: [] };
  await watchLedger.record(WATCH_ID, { added: growing.map(readyOf), ...none }, '2026-01-31T12:00:00.000Z');
  await watchLedger.record(WATCH_ID, { added: [readyOf('in/whole.mov')], ...none }, '2026-01-31T13:00:00.000Z');
  for (const path of growing) folder.put(path);
  folder.put('in/whole.mov', { version: 'old' });
  const setting = await startOn(world, folder);
  await waitFor(async () => (await setting.inputs()).length === 1);
  expect(await setting.inputs()).toEqual(['in/whole.mov']);
});

test('those who follow a watch are told when a list has found a file', async () => {
  const told: string[] = [];
  const onChange: Deps['onChange'] = ({ watchId, clientId }) => void told.push(`${watchId} of ${clientId}`);
  const setting = await start(watchOf(), undefined, { onChange });
  const scanned = async () => (await setting.world.store.watches.get(WATCH_ID))?.lastScan;
  await waitFor(async () => (await scanned()) !== undefined);
  expect(await scanned()).toMatchObject({ pauseSeconds: expect.any(Number) });
  told.length = 0;
  setting.folder.put('in/a.mov');
  await waitFor(async () => (await setting.states())['in/a.mov'] !== undefined);
  await waitFor(async () => told.length > 0);
  expect(new Set(told)).toEqual(new Set([`${WATCH_ID} of amy`]));
});

test('a file that goes on growing while its job runs is converted again, and replaces the half', async () => {
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.put('in/a.mov', { bytes: 20 });
  await nextList(setting);
  await setting.complete();
  await waitFor(async () => (await setting.inputs()).length === 2);
  const [newest] = await setting.world.store.jobs.list({ limit: 1 });
  expect(newest?.request.parameters).toEqual({ y: 'true' });
  await setting.complete();
  await waitFor(async () => (await setting.states())['in/a.mov'] === 'CONVERTED');
});

test('a file that has changed while its job ran is converted again, also if no scan has seen it in time', async () => {
  const setting = await start(watchOf({ source: { moveTo: 'done/' } }), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.watcher.stop();
  setting.folder.put('in/a.mov', { bytes: 20 });
  setting.folder.put('out/a.mp4', { bytes: 7 });
  await setting.complete();
  const second = await startOn(setting.world, setting.folder);
  await waitFor(async () => (await second.inputs()).length === 2);
  expect(await second.folder.folders.find({} as never, 'in/a.mov' as MediaPath)).toMatchObject({ bytes: 20 });
});

test('a source that is replaced while its outputs are read is neither moved nor deleted', async () => {
  for (const source of ['delete', { moveTo: 'done/' }] as const) {
    const setting = await start(watchOf({ source }), ({ folder }) => folder.put('in/a.mov'));
    const { find } = setting.folder.folders;
    await setting.watcher.stop();
    setting.folder.put('out/a.mp4', { bytes: 7 });
    let isReplaced = false;
    const replacing = {
      ...setting.folder.folders,
      find: async (...[root, path]: Parameters<typeof find>) => {
        const found = await find(root, path);
        if (path === 'out/a.mp4' && !isReplaced) {
          isReplaced = true;
          setting.folder.put('in/a.mov', { bytes: 99 });
        }
        return found;
      },
    };
    const second = await startOn(setting.world, setting.folder, { folders: replacing });
    await waitFor(async () => (await second.inputs()).length === 1);
    await second.complete();
    await waitFor(async () => (await second.inputs()).length === 2);
    expect(await find({} as never, 'in/a.mov' as MediaPath)).toMatchObject({ bytes: 99 });
    expect(await find({} as never, 'done/a.mov' as MediaPath)).toBeUndefined();
    await second.watcher.stop();
  }
});

test('after a change to "keep", no source is deleted any more, also not by a round that began before', async () => {
  const setting = await start(watchOf({ source: 'delete' }), ({ folder }) => folder.put('in/a.mov'));
  const { watches } = setting.world.store;
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.watcher.stop();
  setting.folder.put('out/a.mp4', { bytes: 7 });
  await setting.complete();
  const { find } = setting.folder.folders;
  const changed = Promise.withResolvers<void>();
  const folders = {
    ...setting.folder.folders,
    find: async (...[root, path]: Parameters<typeof find>) => {
      if (path === 'out/a.mp4') {
        await changeWatch(watches, WATCH_ID, { source: 'keep' }, new Date(Date.now() + 1000).toISOString());
        changed.resolve();
      }
      return find(root, path);
    },
  };
  const second = await startOn(setting.world, setting.folder, { folders });
  await changed.promise;
  await nextList(second);
  expect(await find({} as never, 'in/a.mov' as MediaPath)).toBeDefined();
});

test('a source is not deleted before another watch has converted it', async () => {
  const setting = await start(watchOf({ source: 'delete' }), ({ folder }) => {
    folder.put('in/a.mov');
    folder.put('out/a.mp4', { bytes: 7 });
  });
  const { watches, watchLedger } = setting.world.store;
  const other = watchOf({ watchId: newJobId(), maxUnfinished: 0 });
  await watches.add(other, 20);
  setting.watcher.wake(other.watchId);
  await waitFor(async () => (await watchLedger.list(other.watchId, { limit: 5 })).length === 1);
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.complete();
  await waitFor(async () => {
    const [file] = await watchLedger.list(WATCH_ID, { limit: 5 });
    return file?.failure?.code === 'FILE_IN_USE';
  });
  expect(await setting.folder.folders.find({} as never, 'in/a.mov' as MediaPath)).toBeDefined();
});

test('a service that no longer leads deletes no source', async () => {
  const setting = await start(watchOf({ source: 'delete' }), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.watcher.stop();
  setting.folder.put('out/a.mp4', { bytes: 7 });
  await setting.complete();
  const { find } = setting.folder.folders;
  let leads = true;
  const hasRead = Promise.withResolvers<void>();
  const folders = {
    ...setting.folder.folders,
    find: async (...[root, path]: Parameters<typeof find>) => {
      if (path === 'out/a.mp4') {
        leads = false;
        await delay(300);
        hasRead.resolve();
      }
      return find(root, path);
    },
  };
  const lead = { leases: { take: async () => leads, release: async () => {} }, holder: 'former' };
  await startOn(setting.world, setting.folder, { folders, lead }, 50);
  await hasRead.promise;
  await delay(200);
  expect(await find({} as never, 'in/a.mov' as MediaPath)).toBeDefined();
});

test('a file that the service may not read keeps neither jobs nor sources waiting', async () => {
  const setting = await start(watchOf({ source: { moveTo: 'done/' } }), ({ folder }) => {
    for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
    for (const name of ['a', 'b']) folder.put(`out/${name}.mp4`, { bytes: 7 });
    folder.breakFile('in/a.mov', new Problem('STORAGE_FAULT', 'The service may not read it.'));
  });
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.complete();
  await waitFor(async () => (await setting.folder.folders.find({} as never, 'done/b.mov' as MediaPath)) !== undefined);
  expect(await setting.states()).toEqual({ 'in/a.mov': 'FAILED', 'in/b.mov': 'CONVERTED' });
});

test('sources and files that are gone with their disk are not given up', async () => {
  const setting = await start(watchOf({ source: { moveTo: 'done/' }, maxUnfinished: 1 }), ({ folder }) => {
    for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
  });
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.setMounted(false);
  await setting.complete([{ path: 'out/a.mp4', sizeBytes: 7 }]);
  const before = setting.folder.lists();
  await waitFor(async () => setting.folder.lists() > before);
  setting.folder.setMounted(true);
  setting.folder.put('out/a.mp4', { bytes: 7 });
  await waitFor(async () => (await setting.inputs()).length === 2);
  const files = await setting.world.store.watchLedger.list(WATCH_ID, { limit: 5 });
  const moved = await setting.folder.folders.find({} as never, 'done/a.mov' as MediaPath);
  expect(files.map(({ source }) => source)).toEqual([moved && 'DONE', undefined]);
});

test('a service that starts after a month, before the disk is mounted, converts nothing twice', async () => {
  const first = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await first.inputs()).length === 1);
  await first.complete();
  await first.watcher.stop();
  first.folder.setMounted(false);
  const second = await startOn(first.world, first.folder, { now: () => new Date(Date.now() + 31 * 24 * 3_600_000) });
  await nextList(second);
  first.folder.setMounted(true);
  await nextList(second);
  await nextList(second);
  expect(await second.inputs()).toEqual(['in/a.mov']);
});

test('another file under the name of a converted one is converted, and a changed one is not', async () => {
  const setting = await start(watchOf(), ({ folder }) => {
    for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
  });
  await waitFor(async () => (await setting.inputs()).length === 2);
  for (const name of ['a', 'b']) await setting.complete([{ path: `out/${name}.mp4`, sizeBytes: 7 }]);
  setting.folder.put('in/a.mov', { fileKey: 'next card', bytes: 30 });
  await waitFor(async () => (await setting.inputs()).length === 3);
  expect(await setting.inputs()).toEqual(expect.arrayContaining(['in/a.mov', 'in/b.mov', 'in/a.mov']));
  setting.folder.put('in/b.mov', { bytes: 30 });
  await nextList(setting);
  await nextList(setting);
  expect(await setting.inputs()).toHaveLength(3);
});

test('someone is told once when a folder is away and when it is back, and when the watch has stopped', async () => {
  const told: string[] = [];
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'), {
    onEvent: (event, { stopped }) => void told.push(stopped?.code ?? event),
  });
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.setReachable(false);
  await waitFor(async () => told.length === 1);
  setting.folder.setReachable(true);
  await waitFor(async () => told.length === 2);
  setting.caller = { ...setting.caller, scopes: [] };
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => (await setting.world.store.watches.get(WATCH_ID))?.stopped !== undefined);
  setting.watcher.wake(WATCH_ID);
  await nextRound(setting);
  expect(told).toEqual(['watch.unreachable', 'watch.reachable', 'INSUFFICIENT_SCOPE']);
});

test('someone is told of files that need attention, of all later ones together, and of no file twice', async () => {
  const told: string[] = [];
  const clocks = movedClocks();
  const setting = await start(
    watchOf(),
    ({ folder }) => {
      for (const name of ['a', 'b', 'c']) folder.put(`in/${name}.mov`);
    },
    { ...clocks, onEvent: (_event, { file, files }) => void told.push(`${files} ${file?.path}`) },
  );
  await waitFor(async () => (await setting.inputs()).length === 3);
  const failNext = () => setting.fail({ code: 'INPUT_INVALID', message: 'No.' });
  await failNext();
  await nextRound(setting);
  await waitFor(async () => told.length === 1);
  await failNext();
  await failNext();
  await nextRound(setting);
  expect(told).toEqual(['1 in/a.mov']);
  clocks.pass(61_000);
  await nextRound(setting);
  await waitFor(async () => told.length === 2);
  clocks.pass(61_000);
  await nextRound(setting);
  expect(told[1]).toMatch(/^3 in\/[bc]\.mov$/);
  expect(told).toHaveLength(2);
});

test('when a service is killed, another one works for its watches soon, and not before', async () => {
  const world = await sqlite.open();
  const { leases } = world.store;
  const folder = watchedFolder();
  folder.put('in/a.mov');
  await world.store.watches.add(watchOf(), 20);
  // A killed service renews its lease no more, and does not release it.
  let isKilled = false;
  const mortal: typeof leases = {
    ...leases,
    take: async (lease) => !isKilled && leases.take(lease, 1),
    release: async (lease) => (isKilled ? undefined : leases.release(lease)),
  };
  const first = await startOn(world, folder, { lead: { leases: mortal, holder: 'first' } }, 100);
  await waitFor(async () => (await first.inputs()).length === 1);
  let lists = 0;
  const onPoll = (): void => {
    lists += 1;
  };
  await startOn(world, folder, { lead: { leases, holder: 'second' }, onPoll }, 100);
  await delay(1500);
  expect(lists).toBe(0);
  isKilled = true;
  await waitFor(async () => lists > 0);
  folder.put('in/b.mov');
  await waitFor(async () => (await first.inputs()).length === 2);
});

test('a service that ends lets another one work for its watches at once', async () => {
  const world = await sqlite.open();
  const { leases } = world.store;
  const folder = watchedFolder();
  await world.store.watches.add(watchOf(), 20);
  const first = await startOn(world, folder, { lead: { leases, holder: 'first' } }, 100);
  await waitFor(async () => folder.lists() > 0);
  const second = await startOn(world, folder, { lead: { leases, holder: 'second' } }, 100);
  await first.watcher.stop();
  folder.put('in/a.mov');
  await waitFor(async () => (await second.inputs()).length === 1);
  expect(await second.inputs()).toEqual(['in/a.mov']);
});
