import { once } from 'node:events';
import { expect, test } from 'vitest';
import { DEFAULT_SCOPES, type Scope } from '../../packages/contract/src/domain/client.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { StoreUnavailable } from '../../packages/contract/src/domain/store-errors.ts';
import { type Watch, WEEKDAYS } from '../../packages/contract/src/domain/watch.ts';
import { FolderUnreachable, type ScanCost, type WatchSource } from '../../packages/service/src/watches/ports.ts';
import { WATCH_LEASES, type WatchRunDeps } from '../../packages/service/src/watches/watch-run.ts';
import type { startWatcher } from '../../packages/service/src/watches/watcher.ts';
import type { World } from '../contracts/engine.ts';
import { sqlite } from '../contracts/sqlite.ts';
import { waitUntil } from '../support/wait.ts';
import { nextRound, startWatchService, WATCH_ID, type WatchService, watchOf } from '../support/watch-service.ts';
import { type WatchedFolderFake, watchedFolder } from '../support/watched-folder.ts';

/** Waits until a condition is true. */
const waitFor = (isTrue: () => Promise<boolean>): Promise<unknown> =>
  waitUntil(String(isTrue), async () => (await isTrue()) || undefined);

/** One minute of a week, which is not now. */
const NEVER_ACTIVE: Watch['activeHours'] = [
  { days: [WEEKDAYS[(new Date().getUTCDay() + 2) % 7] ?? 'mon'], from: '00:00', to: '00:01' },
];

interface Setting extends WatchService {
  readonly folder: WatchedFolderFake;
}

async function start(
  watch: Watch,
  before: (setting: { folder: WatchedFolderFake }) => void = () => {},
  more: Partial<Parameters<typeof startWatcher>[0]> = {},
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
  more: Partial<Parameters<typeof startWatcher>[0]> = {},
): Promise<Setting> {
  const files: WatchRunDeps['files'] = {
    move: async (_caller, { from, to, check }) => {
      check?.((await folder.source.find({} as never, from as MediaPath)) as never);
      folder.rename(from, to);
      return { kind: 'file', path: to as MediaPath } as never;
    },
    removeAll: async (_caller, { paths: [path = ''], check }) => {
      check?.((await folder.source.find({} as never, path as MediaPath)) as never);
      folder.remove(path);
      return { deleted: [{ path }], failed: [] };
    },
  };
  return Object.assign(await startWatchService(world, { source: folder.source, files, ...more }), { folder });
}

/** Has the folder scanned once more from now on. */
async function nextScan({ watcher, world, folder }: Pick<Setting, 'watcher' | 'world' | 'folder'>): Promise<void> {
  // A scan that runs began before.
  for (let asked = 0; asked < 2; asked += 1) {
    const before = folder.scans();
    await world.store.watches.note(WATCH_ID, { askedAt: new Date().toISOString() });
    watcher.wake(WATCH_ID);
    await waitFor(async () => folder.scans() > before);
  }
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

const NO_LEASES = {
  release: async () => {},
  list: async () => [],
  expired: async () => [],
  anyHeld: async () => false,
};

test('two services that both scan the folder convert each file once', async () => {
  const leases = { ...NO_LEASES, take: async () => true };
  const names = Array.from({ length: 60 }, (_, index) => `in/${index}.mov`);
  const first = await start(
    watchOf({ maxUnfinished: 100 }),
    ({ folder }) => {
      for (const name of names.slice(0, 30)) folder.put(name);
    },
    { leases },
  );
  const second = await startOn(first.world, first.folder, { leases });
  for (const name of names.slice(30)) first.folder.put(name);
  await waitFor(async () => (await first.inputs()).length >= 60);
  for (const { watcher } of [first, second]) watcher.scan(WATCH_ID);
  await nextScan(first);
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
  setting.watcher.scan(WATCH_ID);
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
  const source: WatchSource = {
    ...folder.source,
    scan: (root, where, options) =>
      (where.folder.startsWith('nas/') ? share : folder).source.scan(root, where, options),
  };
  const setting = await startOn(world, folder, { source });
  await waitFor(async () => share.scans() === hanging.length);
  await world.store.watches.add(watchOf(), 20);
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => (await setting.inputs()).length === 1);
  expect(await setting.inputs()).toEqual(['in/a.mov']);
});

test('a service scans three folders of a client at a time, each of the others after one of them, and those of others meanwhile', async () => {
  const world = await sqlite.open();
  const folder = watchedFolder();
  const folders = Array.from({ length: 9 }, (_, index) => `in/${index}/`);
  for (const [index, one] of folders.entries())
    await world.store.watches.add(watchOf({ watchId: `w${index}`, folder: one }), 20);
  await world.store.watches.add(watchOf({ watchId: 'x', folder: 'bob/', clientId: 'bob' }), 20);
  const ends: (() => void)[] = [];
  let [asked, scanned] = [0, 0];
  const begun: string[] = [];
  const source: WatchSource = {
    ...folder.source,
    async *scan(root, where, { waitForTurn, ...options }) {
      asked += 1;
      await waitForTurn?.();
      begun.push(where.folder);
      if (where.folder !== 'bob/') await new Promise<void>((resolve) => ends.push(resolve));
      yield* folder.source.scan(root, where, options);
      if (where.folder !== 'bob/') scanned += 1;
    },
  };
  await startOn(world, folder, { source });
  for (let ended = 0; ended < folders.length; ended += 1) {
    await waitFor(async () => asked === folders.length + 1 && scanned === ended && ends.length > 0);
    expect(begun).toContain('bob/');
    expect(begun.length - 1).toBe(Math.min(ended + 3, folders.length));
    ends.shift()?.();
  }
});

test('a client that changes its patterns again and again has one more scan of the whole folder, after a pause', async () => {
  let nowMs = 0;
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'), { monotonic: () => nowMs });
  const { folder, world, watcher } = setting;
  await waitFor(async () => (await setting.inputs()).length === 1);
  for (const pattern of ['*.mov', '*.m*', '*']) {
    await world.store.watches.change(WATCH_ID, { patterns: [pattern] }, new Date().toISOString());
    await nextRound(setting);
  }
  expect(folder.scans()).toBe(1);
  nowMs = 2000;
  watcher.wake(WATCH_ID);
  await waitFor(async () => folder.scans() === 2);
});

/** A folder and the processor time that one scan of it takes. */
const costly = (source: WatchSource, processorMs: number): WatchSource => ({
  ...source,
  async *scan(root, where, options) {
    (options.memory as { cost: ScanCost }).cost = { processorMs, reads: 0 };
    yield* source.scan(root, where, options);
  },
});

/** Waits until no service works for a watch. */
const untilEnded = ({ world }: Pick<Setting, 'world'>): Promise<unknown> =>
  waitFor(async () => (await world.store.leases.list(WATCH_LEASES)).length === 0);

/** Lets the run of a watch end and another one begin: by pausing and resuming the watch, or by a new watch of the same folder. */
const AGAIN = {
  resumed: async (setting: Setting): Promise<void> => {
    const { watches } = setting.world.store;
    await watches.change(WATCH_ID, { state: 'PAUSED' }, new Date().toISOString());
    setting.watcher.wake(WATCH_ID);
    await untilEnded(setting);
    await watches.change(WATCH_ID, { state: 'ACTIVE' }, new Date().toISOString());
    await nextRound(setting);
  },
  'made again': async (setting: Setting): Promise<void> => {
    const { watches } = setting.world.store;
    await watches.remove(WATCH_ID);
    setting.watcher.wake(WATCH_ID);
    await untilEnded(setting);
    await watches.add(watchOf(), 20);
    await nextRound(setting);
  },
} as const;

test('a costly watch that is paused and resumed, or made again, is scanned again after a pause, and named files before that', async () => {
  let nowMs = 0;
  const kinds: string[] = [];
  const [world, folder] = [await sqlite.open(), watchedFolder()];
  await world.store.watches.add(watchOf(), 20);
  const setting = await startOn(world, folder, {
    source: costly(folder.source, 20_000),
    monotonic: () => nowMs,
    onScan: (_watch, { kind }) => void kinds.push(kind),
  });
  await waitFor(async () => kinds.length === 1);
  for (const again of [AGAIN.resumed, AGAIN.resumed, AGAIN['made again'], AGAIN['made again']]) await again(setting);
  expect(kinds).toEqual(['full']);
  folder.put('in/a.mov');
  nowMs = 1000;
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => (await setting.inputs()).length === 1);
  expect(kinds).toEqual(['full', 'marked']);
  nowMs = 599_999;
  await nextRound(setting);
  expect(kinds).toEqual(['full', 'marked']);
  nowMs = 600_000;
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => kinds.length === 3);
  expect(kinds).toEqual(['full', 'marked', 'full']);
  expect(await setting.inputs()).toEqual(['in/a.mov']);
});

test('a costly watch whose folder is back works again as soon as it is resumed', async () => {
  let nowMs = 0;
  const kinds: string[] = [];
  const [world, folder] = [await sqlite.open(), watchedFolder()];
  await world.store.watches.add(watchOf(), 20);
  const { watches } = world.store;
  const setting = await startOn(world, folder, {
    source: costly(folder.source, 20_000),
    monotonic: () => nowMs,
    onScan: (_watch, { kind, end }) => void kinds.push(`${kind} ${end}`),
  });
  await waitFor(async () => kinds.length === 1);
  await watches.note(WATCH_ID, { unreachableSince: new Date().toISOString() });
  nowMs = 10_000;
  await AGAIN.resumed(setting);
  await waitFor(async () => (await watches.get(WATCH_ID))?.unreachableSince === undefined);
  expect(kinds).toEqual(['full complete', 'marked complete']);
});

test.each(Object.entries(AGAIN))('a small watch that is %s is scanned at once', async (_how, again) => {
  let nowMs = 0;
  const kinds: string[] = [];
  const setting = await start(watchOf(), undefined, {
    monotonic: () => nowMs,
    onScan: (_watch, { kind }) => void kinds.push(kind),
  });
  await waitFor(async () => kinds.length === 1);
  for (const count of [2, 3]) {
    nowMs += 1000;
    await again(setting);
    await waitFor(async () => kinds.length === count);
  }
  expect(kinds).toEqual(['full', 'full', 'full']);
});

/** A folder whose scans last until they are released, or until they are aborted. */
function endlessScans(folder: WatchedFolderFake, processorMs: number) {
  const released = Promise.withResolvers<void>();
  let begun = 0;
  const { source } = folder;
  const endless: WatchSource = {
    ...source,
    async *scan(root, where, options) {
      begun += 1;
      (options.memory as { cost: ScanCost }).cost = { processorMs, reads: 0 };
      const aborted = once(options.signal, 'abort');
      await Promise.race([released.promise, aborted]);
      options.signal.throwIfAborted();
      yield* source.scan(root, where, options);
    },
  };
  return { source: endless, begun: () => begun, release: released.resolve };
}

test('a client that changes its watch during each scan has one more scan, after a pause', async () => {
  let nowMs = 0;
  const [world, folder] = [await sqlite.open(), watchedFolder()];
  await world.store.watches.add(watchOf(), 20);
  const { source, begun } = endlessScans(folder, 20_000);
  const setting = await startOn(world, folder, { source, monotonic: () => nowMs });
  await waitFor(async () => begun() === 1);
  for (const pattern of ['*.mov', '*.m*', '*']) {
    await world.store.watches.change(WATCH_ID, { patterns: [pattern] }, new Date().toISOString());
    await nextRound(setting);
  }
  nowMs = 599_999;
  await nextRound(setting);
  expect(begun()).toBe(1);
  nowMs = 600_000;
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => begun() === 2);
});

test('a change of the name or of the request does not end a scan, and the files that it finds are converted by the new request', async () => {
  const kinds: string[] = [];
  const [world, folder] = [await sqlite.open(), watchedFolder()];
  folder.put('in/a.mov');
  await world.store.watches.add(watchOf(), 20);
  const { source, begun, release } = endlessScans(folder, 20_000);
  const onScan: WatchRunDeps['onScan'] = (_watch, { kind, end }) => void kinds.push(`${kind} ${end}`);
  const setting = await startOn(world, folder, { source, onScan });
  await waitFor(async () => begun() === 1);
  for (const change of [{ name: 'other' }, { request: { output: 'new/{name}.mp4' } }]) {
    await world.store.watches.change(WATCH_ID, change, new Date().toISOString());
    await nextRound(setting);
  }
  expect(begun()).toBe(1);
  release();
  await waitFor(async () => (await setting.inputs()).length === 1);
  const [job] = await world.store.jobs.list({ limit: 1 });
  expect(job?.request.output).toBe('new/a.mp4');
  expect(kinds).toEqual(['full complete']);
});

test('names in events of a bucket take little memory, however many there are', async () => {
  const [world, folder] = [await sqlite.open(), watchedFolder()];
  await world.store.watches.add(watchOf(), 20);
  const { source, begun, release } = endlessScans(folder, 0);
  let marked = 0;
  const newMemory: WatchSource['newMemory'] = () => {
    const memory = source.newMemory();
    const mark = memory.mark.bind(memory);
    return Object.assign(memory, {
      mark: (path: string) => {
        marked += 1;
        mark(path);
      },
    });
  };
  const setting = await startOn(world, folder, { source: { ...source, newMemory } });
  await waitFor(async () => begun() === 1);
  const names = Array.from({ length: 1500 }, (_, index) => `in/${index}.mov`);
  for (let pushes = 0; pushes < 3; pushes += 1) setting.watcher.scan(WATCH_ID, names);
  release();
  await waitFor(async () => marked > 0);
  expect(marked).toBe(2000);
  // While the client may not do what the watch does, none are kept.
  setting.caller = { ...setting.caller, scopes: [] };
  await nextRound(setting);
  setting.watcher.scan(WATCH_ID, names);
  await nextRound(setting);
  setting.caller = { ...setting.caller, scopes: DEFAULT_SCOPES };
  await nextRound(setting);
  expect(marked).toBe(2000);
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

test('a drained watch converts what it has, takes nothing more, and is then paused', async () => {
  const setting = await start(watchOf({ maxUnfinished: 1 }), ({ folder }) => {
    for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
  });
  const { watches } = setting.world.store;
  await waitFor(async () => (await setting.inputs()).length === 1);
  await watches.change(WATCH_ID, { state: 'DRAINING' }, new Date().toISOString());
  setting.watcher.wake(WATCH_ID);
  setting.folder.put('in/c.mov');
  await setting.complete();
  await waitFor(async () => (await setting.inputs()).length === 2);
  await setting.complete();
  await waitFor(async () => (await watches.get(WATCH_ID))?.state === 'PAUSED');
  expect(await setting.inputs()).toEqual(['in/a.mov', 'in/b.mov']);
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
  expect(await setting.folder.source.find({} as never, 'done/sub/a.mov' as MediaPath)).toBeDefined();
  expect(await setting.folder.source.find({} as never, 'in/b.mov' as MediaPath)).toBeDefined();
});

test('a file that lands with the name of one that was moved just before a crash is a new file', async () => {
  const first = await start(watchOf({ source: { moveTo: 'done/' } }), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await first.inputs()).length === 1);
  await first.watcher.stop();
  const { watchLedger } = first.world.store;
  let crashes = 0;
  const ledger: WatchRunDeps['ledger'] = {
    ...watchLedger,
    setSource: async (file, outcome, at) => {
      if (outcome.kind === 'done') crashes += 1;
      if (outcome.kind !== 'done' || crashes > 1) return watchLedger.setSource(file, outcome, at);
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
    async () => (await setting.folder.source.find({} as never, 'done/a (2).mov' as MediaPath)) !== undefined,
  );
  expect(await setting.inputs()).toEqual(['in/a.mov', 'in/a.mov']);
});

test('a rejected request waits for a person, and a used-up quota only delays', async () => {
  let rejects: Problem | undefined = new Problem('QUOTA_EXCEEDED', 'Full.', { retryAfterSeconds: 5 });
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'), {});
  await setting.watcher.stop();
  const { store } = setting.world;
  const second = await startOn(setting.world, setting.folder, {
    jobs: {
      admit: () => ({ release: () => {} }),
      checkWatched: async () => {
        throw rejects ?? new Problem('INVALID_REQUEST', 'Wrong.', { errors: [] });
      },
      insertWatched: async () => [],
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
  const rows = growing.map((path) => ({ path: path as MediaPath, version: 'old', bytes: 5, state: 'READY' as const }));
  const changes = { added: rows, renewed: [], moved: [], seen: [], outdated: [] };
  await watchLedger.record(WATCH_ID, changes, '2026-01-31T12:00:00.000Z');
  for (const path of growing) folder.put(path, { isWhole: false });
  folder.put('in/whole.mov');
  const setting = await startOn(world, folder);
  await waitFor(async () => (await setting.inputs()).length === 1);
  expect(await setting.inputs()).toEqual(['in/whole.mov']);
});

test('a change of the name keeps what the scans remember, and a change of the patterns begins with a full scan', async () => {
  const kinds: string[] = [];
  const onScan: WatchRunDeps['onScan'] = (_watch, { kind }) => void kinds.push(kind);
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'), { onScan });
  const { watches } = setting.world.store;
  const fulls = (): number => kinds.filter((kind) => kind === 'full').length;
  await waitFor(async () => kinds.length > 0);
  await watches.change(WATCH_ID, { name: 'other' }, new Date().toISOString());
  setting.watcher.wake(WATCH_ID);
  setting.folder.put('in/b.mov');
  await waitFor(async () => (await setting.inputs()).length === 2);
  expect(fulls()).toBe(1);
  await watches.change(WATCH_ID, { patterns: ['*.mp4'] }, new Date().toISOString());
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => fulls() === 2);
});

test('those who follow a watch are told when a scan has found a file', async () => {
  const told: string[] = [];
  const onChange: WatchRunDeps['onChange'] = ({ watchId, clientId }) => void told.push(`${watchId} of ${clientId}`);
  const setting = await start(watchOf({ activeHours: NEVER_ACTIVE }), undefined, { onChange });
  const scanned = async () => (await setting.world.store.watches.get(WATCH_ID))?.lastScan;
  await waitFor(async () => (await scanned()) !== undefined);
  expect(await scanned()).toMatchObject({ pauseSeconds: expect.any(Number) });
  told.length = 0;
  setting.folder.put('in/a.mov');
  await waitFor(async () => (await setting.states())['in/a.mov'] === 'READY');
  await waitFor(async () => told.length > 0);
  expect(new Set(told)).toEqual(new Set([`${WATCH_ID} of amy`]));
});

test('a file that goes on growing while its job runs is converted again, and replaces the half', async () => {
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'));
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.put('in/a.mov', { bytes: 20 });
  const { watchLedger } = setting.world.store;
  await waitFor(async () => (await watchLedger.list(WATCH_ID, { limit: 1 }))[0]?.outdated === true);
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
  expect(await second.folder.source.find({} as never, 'in/a.mov' as MediaPath)).toMatchObject({ bytes: 20 });
});

test('a source that is replaced while its outputs are read is neither moved nor deleted', async () => {
  for (const source of ['delete', { moveTo: 'done/' }] as const) {
    const setting = await start(watchOf({ source }), ({ folder }) => folder.put('in/a.mov'));
    const { find } = setting.folder.source;
    await setting.watcher.stop();
    setting.folder.put('out/a.mp4', { bytes: 7 });
    let isReplaced = false;
    const replacing = {
      ...setting.folder.source,
      find: async (...[root, path]: Parameters<typeof find>) => {
        const found = await find(root, path);
        if (path === 'out/a.mp4' && !isReplaced) {
          isReplaced = true;
          setting.folder.put('in/a.mov', { bytes: 99 });
        }
        return found;
      },
    };
    const second = await startOn(setting.world, setting.folder, { source: replacing });
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
  const { find } = setting.folder.source;
  const changed = Promise.withResolvers<void>();
  const source = {
    ...setting.folder.source,
    find: async (...[root, path]: Parameters<typeof find>) => {
      if (path === 'out/a.mp4') {
        await watches.change(WATCH_ID, { source: 'keep' }, new Date(Date.now() + 1000).toISOString());
        changed.resolve();
      }
      return find(root, path);
    },
  };
  const second = await startOn(setting.world, setting.folder, { source });
  await changed.promise;
  await nextScan(second);
  expect(await find({} as never, 'in/a.mov' as MediaPath)).toBeDefined();
});

test('a file that the service may not read keeps neither jobs nor sources waiting', async () => {
  const setting = await start(watchOf({ source: { moveTo: 'done/' } }), ({ folder }) => {
    for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
    for (const name of ['a', 'b']) folder.put(`out/${name}.mp4`, { bytes: 7 });
    folder.breakFile('in/a.mov', new FolderUnreachable('denied'));
  });
  await waitFor(async () => (await setting.inputs()).length === 1);
  await setting.complete();
  await waitFor(async () => (await setting.folder.source.find({} as never, 'done/b.mov' as MediaPath)) !== undefined);
  expect(await setting.states()).toEqual({ 'in/a.mov': 'FAILED', 'in/b.mov': 'CONVERTED' });
});

test('sources and files that are gone with their disk are not given up', async () => {
  const setting = await start(watchOf({ source: { moveTo: 'done/' }, maxUnfinished: 1 }), ({ folder }) => {
    for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
  });
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.setMounted(false);
  await setting.complete([{ path: 'out/a.mp4', sizeBytes: 7 }]);
  const before = setting.folder.scans();
  setting.watcher.scan(WATCH_ID);
  await waitFor(async () => setting.folder.scans() > before);
  setting.folder.setMounted(true);
  setting.folder.put('out/a.mp4', { bytes: 7 });
  setting.watcher.scan(WATCH_ID);
  await waitFor(async () => (await setting.inputs()).length === 2);
  const files = await setting.world.store.watchLedger.list(WATCH_ID, { limit: 5 });
  const moved = await setting.folder.source.find({} as never, 'done/a.mov' as MediaPath);
  expect(files.map(({ source }) => source)).toEqual([moved && 'DONE', undefined]);
});

test('a path that a bucket has named is looked at soon, and costs no rounds meanwhile', async () => {
  const kinds: string[] = [];
  const setting = await start(watchOf(), undefined, { onScan: (_watch, { kind }) => void kinds.push(kind) });
  await waitFor(async () => kinds.length > 0);
  const { listen: _, ...source } = setting.folder.source;
  await setting.watcher.stop();
  kinds.length = 0;
  const second = await startOn(setting.world, setting.folder, {
    source,
    onScan: (_watch, { kind }) => void kinds.push(kind),
  });
  await waitFor(async () => kinds.length > 0);
  setting.folder.put('in/a.mov');
  second.watcher.scan(WATCH_ID, ['in/a.mov']);
  await waitFor(async () => kinds.length > 1);
  expect(kinds).toEqual(['full', 'marked']);
  await waitFor(async () => (await second.inputs()).length === 1);
});

test('a watch that is drained converts a file that has changed since it was taken', async () => {
  const setting = await start(watchOf({ maxUnfinished: 1 }), ({ folder }) => {
    for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
  });
  const { watches } = setting.world.store;
  await waitFor(async () => (await setting.inputs()).length === 1);
  await watches.change(WATCH_ID, { state: 'DRAINING' }, new Date(Date.now() + 1000).toISOString());
  setting.folder.put('in/b.mov', { bytes: 30 });
  setting.folder.put('in/c.mov');
  setting.watcher.wake(WATCH_ID);
  await setting.complete();
  await waitFor(async () => (await setting.inputs()).length === 2);
  await setting.complete();
  await waitFor(async () => (await watches.get(WATCH_ID))?.state === 'PAUSED');
  expect(await setting.inputs()).toEqual(['in/a.mov', 'in/b.mov']);
});

test('another file under the name of a converted one is converted, and a changed one is counted', async () => {
  const setting = await start(watchOf(), ({ folder }) => {
    for (const name of ['a', 'b']) folder.put(`in/${name}.mov`);
  });
  await waitFor(async () => (await setting.inputs()).length === 2);
  for (const name of ['a', 'b']) await setting.complete([{ path: `out/${name}.mp4`, sizeBytes: 7 }]);
  setting.folder.put('in/a.mov', { fileKey: 'next card', bytes: 30 });
  await waitFor(async () => (await setting.inputs()).length === 3);
  expect(await setting.inputs()).toEqual(expect.arrayContaining(['in/a.mov', 'in/b.mov', 'in/a.mov']));
  // A new service looks at all files, so its first scan counts what is ignored.
  setting.folder.put('in/b.mov', { bytes: 30 });
  await setting.watcher.stop();
  const { watches } = setting.world.store;
  const before = (await watches.get(WATCH_ID))?.lastScan;
  await watches.note(WATCH_ID, { lastScan: { at: '2026-01-01T00:00:00.000Z', seconds: 0, files: before?.files ?? 0 } });
  await startOn(setting.world, setting.folder);
  await waitFor(async () => (await watches.get(WATCH_ID))?.lastScan?.ignored === 1);
});

test('someone is told once when a folder is away and when it is back, and when the watch has stopped', async () => {
  const told: string[] = [];
  const setting = await start(watchOf(), ({ folder }) => folder.put('in/a.mov'), {
    onUnreachable: () => void told.push('unreachable'),
    onReachable: () => void told.push('reachable'),
    onStopped: (_watch, { code }) => void told.push(code),
  });
  await waitFor(async () => (await setting.inputs()).length === 1);
  setting.folder.setReachable(false);
  setting.watcher.scan(WATCH_ID);
  await waitFor(async () => told.length === 1);
  setting.folder.setReachable(true);
  await waitFor(async () => told.length === 2);
  setting.caller = { ...setting.caller, scopes: [] };
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => (await setting.world.store.watches.get(WATCH_ID))?.stopped !== undefined);
  setting.watcher.wake(WATCH_ID);
  await nextRound(setting);
  expect(told).toEqual(['unreachable', 'reachable', 'INSUFFICIENT_SCOPE']);
});

test('an event that was left out because of another one follows a minute later', async () => {
  const told: string[] = [];
  let clockMs = 0;
  const setting = await start(watchOf(), undefined, {
    onAttentionDue: ({ watchId }) => void told.push(watchId),
    now: () => new Date(Date.now() + clockMs),
  });
  const { watchLedger, transactions } = setting.world.store;
  const take = () => transactions.run((tx) => watchLedger.takeAttention(tx, WATCH_ID, new Date().toISOString()));
  expect([await take(), await take()]).toEqual([0, undefined]);
  await nextRound(setting);
  expect(told).toEqual([]);
  clockMs = 61_000;
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => told.length > 0);
  expect(told[0]).toBe(WATCH_ID);
});

test('an event that was left out because of another one follows at once if the watch is paused', async () => {
  const told: string[] = [];
  const setting = await start(watchOf(), undefined, { onAttentionDue: ({ state }) => void told.push(state) });
  const { watches, watchLedger, transactions } = setting.world.store;
  const take = () => transactions.run((tx) => watchLedger.takeAttention(tx, WATCH_ID, new Date().toISOString()));
  expect([await take(), await take()]).toEqual([0, undefined]);
  await watches.change(WATCH_ID, { state: 'PAUSED' }, new Date().toISOString());
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => told.length > 0);
  expect(told[0]).toBe('PAUSED');
});

/** Times with which a service counts as dead after two seconds. */
const SOON = { seconds: 2, renewMs: 500, lookMs: 100 };

test('when a service is killed, another one works for its watches soon, and not before', async () => {
  const world = await sqlite.open();
  const { leases } = world.store;
  const folder = watchedFolder();
  folder.put('in/a.mov');
  await world.store.watches.add(watchOf(), 20);
  let renewals = 0;
  const counted: typeof leases = {
    ...leases,
    take: (lease, seconds) => {
      if (lease.name.startsWith('watcher/')) renewals += 1;
      return leases.take(lease, seconds);
    },
  };
  const first = await startOn(world, folder, { serviceLease: SOON, leases: counted });
  await waitFor(async () => (await first.inputs()).length === 1);
  let scans = 0;
  const countScan = (): void => {
    scans += 1;
  };
  const second = await startOn(world, folder, { serviceLease: SOON, onScan: countScan });
  second.watcher.wake(WATCH_ID);
  const before = renewals;
  // A service that is dead would have no lease any more.
  await waitFor(async () => renewals > before + (1000 * SOON.seconds) / SOON.renewMs);
  expect(scans).toBe(0);
  // What is left after a kill: nobody releases the leases, and nobody renews them.
  const [watchLease] = await leases.list('watch/');
  const holder = watchLease?.data ?? '';
  await first.watcher.stop();
  await leases.take({ name: `watcher/${holder}`, holder }, 1);
  await leases.take({ name: `watch/${WATCH_ID}`, holder, data: holder }, 300);
  await waitFor(async () => scans > 0);
  expect((await leases.list('watcher/')).map(({ name }) => name)).not.toContain(`watcher/${holder}`);
});

test('a service that starts deletes the leases of services that were killed', async () => {
  const world = await sqlite.open();
  const { leases } = world.store;
  await leases.take({ name: 'watcher/killed', holder: 'killed' }, 0);
  await leases.take({ name: 'watch/deleted', holder: 'killed', data: 'killed' }, 0);
  await leases.take({ name: 'watcher/other', holder: 'other' }, 300);
  await startOn(world, watchedFolder(), { serviceLease: SOON });
  await waitFor(async () => (await leases.list('watch/')).length === 0);
  expect(await leases.list('watcher/')).toEqual([{ name: 'watcher/other' }]);
});

test('a service sees in its next round that another one was asked for a scan', async () => {
  let nowMs = 0;
  let scans = 0;
  const countScan = (): void => {
    scans += 1;
  };
  const setting = await start(watchOf(), undefined, { monotonic: () => nowMs, onScan: countScan });
  await waitFor(async () => scans === 1);
  // Too early for another scan by itself.
  nowMs += 5000;
  await nextRound(setting);
  expect(scans).toBe(1);
  await setting.world.store.watches.note(WATCH_ID, { askedAt: new Date().toISOString() });
  setting.watcher.wake(WATCH_ID);
  await waitFor(async () => scans === 2);
  await nextRound(setting);
  expect(scans).toBe(2);
});
