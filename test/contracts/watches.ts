import { describe, expect, test } from 'vitest';
import type { Failure } from '../../packages/contract/src/domain/failure.ts';
import type { JobOutput } from '../../packages/contract/src/domain/job.ts';
import type { MediaPath } from '../../packages/contract/src/domain/media-path.ts';
import type { Watch, WatchedFileState } from '../../packages/contract/src/domain/watch.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import { insertWatched } from '../../packages/service/src/jobs/submit/submit-watched.ts';
import {
  type FileChange,
  type LedgerChanges,
  type NewWatchedFile,
  type ReadFile,
  readyAgain,
} from '../../packages/service/src/store/ledger-row.ts';
import type { FileSubmission } from '../../packages/service/src/store/watches.ts';
import { watchEndWrite } from '../../packages/service/src/watches/after-job.ts';
import { changeWatch } from '../support/change-watch.ts';
import { type AnyEnd, AT, type Engine, endAny, jobToInsert, mustClaim, take, type World } from './engine.ts';

const LATER = '2026-11-20T11:00:00.000Z';

const watchOf = (number: number, change: Partial<Watch> = {}): Watch => ({
  watchId: `0199a7c2-5b1e-7c3d-9f21-6a4f0c9b8e${String(number).padStart(2, '0')}`,
  ...{ clientId: 'amy', folder: 'in/', subfolders: true, request: { output: 'out/{name}.mp4' } },
  ...{ source: 'keep', changed: 'ignore', existing: 'convert', settleSeconds: 10, maxUnfinished: 20 },
  ...{ state: 'ACTIVE', createdAt: AT, changedAt: AT },
  ...change,
});

const { watchId } = watchOf(1);

const file = (name: string, change: Partial<NewWatchedFile> = {}): NewWatchedFile => ({
  ...{ path: `in/${name}` as MediaPath, version: 'v1', bytes: 10, fileKey: `key-${name}`, state: 'READY' },
  ...change,
});

const changes = (some: Partial<LedgerChanges>): LedgerChanges => ({
  ...{ added: [], changed: [] },
  ...some,
});

/** The row of a file as it was read. */
const rowOf = (name: string, change: Partial<ReadFile> = {}): ReadFile => ({
  ...{ watchId, path: `in/${name}` as MediaPath, version: 'v1', state: 'READY' },
  ...change,
});

const submissionOf = (name: string, change: Partial<FileSubmission> = {}): FileSubmission => ({
  ...{ watchId, path: `in/${name}` as MediaPath, version: 'v1', jobId: newJobId() },
  ...{ outputs: [`out/${name}.mp4`], origins: [watchId] },
  ...change,
});

/** Opens an engine with a watch. */
async function openWatched(engine: Engine): Promise<World> {
  const world = await engine.open();
  await world.store.watches.add(watchOf(1), 5);
  return world;
}

/** Submits files as a watch does. Resolves to the ids of the jobs that were stored. */
async function submit(world: World, files: readonly FileSubmission[]): Promise<readonly string[]> {
  const { store, queue } = world;
  const deps = { ...store, queue, changes: { publish: () => {} }, now: () => new Date(AT) };
  const inserted: string[] = [];
  for (const one of files) {
    const job = jobToInsert('amy', { jobId: one.jobId, watchId });
    if (await insertWatched(deps, job, (tx) => store.watchLedger.submit(tx, 'amy', one, AT))) inserted.push(one.jobId);
  }
  return inserted;
}

const output = (path: string, sizeBytes: number): JobOutput => ({ path, sizeBytes });

/** Ends the next queued job, in the transaction of which the ledger is written. */
async function endNext(world: World, end: readonly JobOutput[] | Failure): Promise<string> {
  const { store, queue } = world;
  const [delivery] = await take(world);
  if (delivery === undefined) throw new Error('No ticket was taken.');
  const claim = await mustClaim(world, delivery.jobId);
  const outcome: Extract<AnyEnd, { readonly claim: unknown }>['outcome'] =
    'code' in end ? { status: 'FAILED', error: end } : { status: 'COMPLETED', outputs: end };
  const deps = { ...store, queue, changes: { publish: () => {} }, now: () => new Date(AT) };
  const endWrites = { watches: watchEndWrite(store.watchLedger) };
  expect(await endAny({ ...deps, endWrites }, { claim, delivery, outcome, log: '' })).toBe(true);
  return delivery.jobId;
}

const stateOf = async ({ store }: World, name: string): Promise<WatchedFileState | undefined> =>
  (await store.watchLedger.find(watchId, [`in/${name}`])).get(`in/${name}`)?.state;

/** The job of each file that has one. */
const jobIdsOf = async ({ store }: World): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(
    (await store.watchLedger.list(watchId, { limit: 20 })).flatMap(({ path, jobId }) =>
      jobId === undefined ? [] : [[path, jobId]],
    ),
  );

export function watchesContract(engine: Engine): void {
  describe(`watches on ${engine.name}`, () => {
    test('a watch is found as it was stored, and lists have the oldest first', async () => {
      const { watches } = await engine.openStore();
      const whole = watchOf(1, {
        ...{ name: 'incoming', patterns: ['*.mov'], source: { moveTo: 'done/' } },
        ...{ exclude: ['*_proxy.mov'], every: 60 },
      });
      expect(await watches.add(whole, 5)).toBe(true);
      await watches.add(watchOf(2, { clientId: 'bob', state: 'PAUSED' }), 5);
      await watches.add(watchOf(3), 5);
      expect(await watches.get(whole.watchId)).toEqual(whole);
      expect(await watches.get(watchOf(9).watchId)).toBeUndefined();
      const idsOf = (found: readonly Watch[]) => found.map((one) => Number(one.watchId.slice(-2)));
      expect(idsOf(await watches.list())).toEqual([1, 2, 3]);
      expect(idsOf(await watches.list({ clientId: 'amy' }))).toEqual([1, 3]);
      expect(idsOf(await watches.list({ isRunning: true }))).toEqual([1, 3]);
      for (const one of [whole, watchOf(3)]) await changeWatch(watches, one.watchId, { state: 'PAUSED' }, LATER);
      expect(await watches.list({ isRunning: true })).toEqual([]);
    });

    test('a client has at most so many watches, also if it makes many at once', async () => {
      const { watches } = await engine.openStore();
      const added = await Promise.all([1, 2, 3, 4, 5].map((number) => watches.add(watchOf(number), 3)));
      expect(added.filter(Boolean)).toHaveLength(3);
      expect(await watches.add(watchOf(6, { clientId: 'bob' }), 3)).toBe(true);
    });

    test('a change keeps the other settings, and null removes one', async () => {
      const { watches } = await engine.openStore();
      await watches.add(watchOf(1, { name: 'incoming', patterns: ['*.mov'] }), 5);
      const changed = await changeWatch(watches, watchId, { name: null, subfolders: false, state: 'PAUSED' }, LATER);
      const { name: _, ...others } = watchOf(1, { name: 'incoming', patterns: ['*.mov'] });
      expect(changed).toEqual({ ...others, subfolders: false, state: 'PAUSED', changedAt: LATER });
      expect(await watches.get(watchId)).toEqual(changed);
      expect(await changeWatch(watches, watchOf(2).watchId, {}, LATER)).toBeUndefined();
    });

    test('notes of the service are stored', async () => {
      const { watches } = await engine.openStore();
      await watches.add(watchOf(1), 5);
      const lastScan = { at: AT, seconds: 0.4, files: 3 };
      const stopped = { code: 'INSUFFICIENT_SCOPE', message: 'No.' };
      const notes = { firstScanAt: AT, unreachableSince: AT, waitingFor: 'slots', lastScan, stopped } as const;
      await watches.update(watchId, (watch) => ({ ...watch, ...notes }));
      expect(await watches.get(watchId)).toMatchObject({
        firstScanAt: AT,
        unreachableSince: AT,
        waitingFor: 'slots',
        lastScan,
        stopped,
      });
      const none = { unreachableSince: undefined, waitingFor: undefined, stopped: undefined };
      await watches.update(watchId, (watch) => ({ ...watch, ...none }) as unknown as Watch);
      expect(Object.keys((await watches.get(watchId)) ?? {})).not.toContain('stopped');
      expect(await watches.get(watchId)).toMatchObject({ firstScanAt: AT });
    });

    test('a deleted watch is gone with its ledger, and no other watch loses a row', async () => {
      const { watches, watchLedger: ledger } = await engine.openStore();
      const other = watchOf(2).watchId;
      for (const one of [watchOf(1), watchOf(2)]) await watches.add(one, 5);
      for (const id of [watchId, other])
        await ledger.record(id, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      expect(await watches.remove(watchId)).toBe(true);
      expect(await watches.remove(watchId)).toBe(false);
      expect(await ledger.list(watchId, { limit: 5 })).toEqual([]);
      expect(await watches.counts(other)).toMatchObject({ READY: 2, SUBMITTED: 0 });
    });
  });

  describe(`the ledger of watches on ${engine.name}`, () => {
    test('files are listed by path, in pages, and by state', async () => {
      const { watches, watchLedger: ledger } = (await openWatched(engine)).store;
      const skipped = file('b.mov', { state: 'SKIPPED', skipReason: 'OWN_OUTPUT' });
      await ledger.record(watchId, changes({ added: [file('c.mov'), skipped, file('a.mov')] }), AT);
      const pathsOf = async (query: Parameters<typeof ledger.list>[1]) =>
        (await ledger.list(watchId, query)).map(({ path }) => path);
      expect(await pathsOf({ limit: 2 })).toEqual(['in/a.mov', 'in/b.mov']);
      expect(await pathsOf({ limit: 2, after: 'in/b.mov' })).toEqual(['in/c.mov']);
      expect(await pathsOf({ limit: 5, state: 'READY' })).toEqual(['in/a.mov', 'in/c.mov']);
      const [found] = await ledger.list(watchId, { limit: 1, state: 'SKIPPED' });
      expect(found).toEqual({ ...skipped, watchId, attempts: 0, seenAt: AT, changedAt: AT });
      expect(await watches.counts(watchId)).toMatchObject({ READY: 2, SKIPPED: 1, CONVERTED: 0 });
    });

    test('a file that is recorded twice keeps its first row', async () => {
      const { watchLedger: ledger } = (await openWatched(engine)).store;
      await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      await ledger.record(watchId, changes({ added: [file('a.mov', { version: 'v2' })] }), LATER);
      expect((await ledger.find(watchId, ['in/a.mov'])).get('in/a.mov')).toMatchObject({ version: 'v1', seenAt: AT });
    });

    test('new content replaces a row only if the row is still as it was read', async () => {
      const { watchLedger: ledger } = (await openWatched(engine)).store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      const changed: LedgerChanges['changed'] = [
        { row: rowOf('a.mov'), change: { version: 'v2', bytes: 20, replaces: true, changedAt: LATER } },
        { row: rowOf('b.mov', { version: 'v0' }), change: { version: 'v2', changedAt: LATER } },
      ];
      await ledger.record(watchId, changes({ changed }), LATER);
      const rows = await ledger.find(watchId, ['in/a.mov', 'in/b.mov']);
      expect(rows.get('in/a.mov')).toMatchObject({ version: 'v2', bytes: 20, replaces: true, changedAt: LATER });
      expect(rows.get('in/b.mov')).toMatchObject({ version: 'v1', changedAt: AT });
    });

    test('a renamed file keeps its row, unless the new name has one', async () => {
      const { watchLedger: ledger } = (await openWatched(engine)).store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov'), file('c.mov')] }), AT);
      expect((await ledger.findByKey(watchId, ['key-a.mov', 'key-z'])).map(({ path }) => path)).toEqual(['in/a.mov']);
      const moves = (from: string, to: string) => ({
        row: rowOf(from),
        change: { path: `in/${to}` as MediaPath, seenAt: LATER },
      });
      await ledger.record(watchId, changes({ changed: [moves('a.mov', 'z.mov'), moves('b.mov', 'c.mov')] }), LATER);
      const rows = await ledger.list(watchId, { limit: 5 });
      expect(rows.map(({ path }) => path)).toEqual(['in/b.mov', 'in/c.mov', 'in/z.mov']);
      expect(rows[2]).toMatchObject({ fileKey: 'key-a.mov', version: 'v1', seenAt: LATER, changedAt: AT });
    });

    test('a file is submitted once, however often and by however many services it is tried', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger, jobs } = world.store;
      const names = ['a.mov', 'b.mov', 'c.mov'];
      await ledger.record(watchId, changes({ added: names.map((name) => file(name)) }), AT);
      const tries = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const files = names.map((name) => submissionOf(name));
          const stored = await submit(world, files);
          return files.filter(({ jobId }) => stored.includes(jobId));
        }),
      );
      const submitted = tries.flat();
      expect(submitted).toHaveLength(3);
      expect(await jobIdsOf(world)).toEqual(Object.fromEntries(submitted.map(({ path, jobId }) => [path, jobId])));
      expect(await submit(world, [submissionOf('a.mov')])).toEqual([]);
      expect(await ledger.count(watchId, 'SUBMITTED')).toBe(3);
      expect(await jobs.list({ limit: 10 })).toHaveLength(3);
      for (const row of await ledger.list(watchId, { limit: 5 })) {
        expect(row).toMatchObject({ state: 'SUBMITTED', attempts: 1 });
        expect(await jobs.get(row.jobId ?? '')).toMatchObject({ watchId, status: 'PENDING' });
      }
    });

    test('of a group, only the files that are ready with this version get their jobs', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      const added = [file('changed.mov', { version: 'v2' }), file('ready.mov'), file('submitted.mov')];
      await ledger.record(watchId, changes({ added }), AT);
      const first = submissionOf('submitted.mov', { outputs: ['out/first.mp4'] });
      await submit(world, [first]);
      const changed = submissionOf('changed.mov');
      const ready = submissionOf('ready.mov');
      const again = submissionOf('submitted.mov');
      expect(await submit(world, [ready, changed, again])).toEqual([ready.jobId]);
      expect(await jobIdsOf(world)).toEqual({ 'in/ready.mov': ready.jobId, 'in/submitted.mov': first.jobId });
      expect(await stateOf(world, 'changed.mov')).toBe('READY');
      const outputs = [changed, ready, again].flatMap((one) => one.outputs);
      const made = await ledger.madeFiles(
        'amy',
        outputs.map((path) => ({ path: path as MediaPath, version: '1' })),
      );
      expect(made.map(({ path }) => path)).toEqual(['out/ready.mov.mp4']);
    });

    test('a file with another version, or that waits for a person, is not submitted', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger, jobs } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      const failure = { code: 'INVALID_REQUEST', message: 'No.' };
      const waits: FileChange = { state: 'NEEDS_ATTENTION', dueAt: null, failure };
      expect(await ledger.update(rowOf('b.mov'), waits)).toBe(true);
      expect(await ledger.update(rowOf('b.mov'), waits)).toBe(false);
      expect(await submit(world, [submissionOf('a.mov', { version: 'v0' }), submissionOf('b.mov')])).toEqual([]);
      expect(await jobs.list({ limit: 10 })).toEqual([]);
      expect(await stateOf(world, 'a.mov')).toBe('READY');
    });

    test('nothing is submitted if the jobs cannot be stored', async () => {
      const world = await openWatched(engine);
      const { store, queue } = world;
      await store.watchLedger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      const deps = { ...store, queue, changes: { publish: () => {} }, now: () => new Date(AT) };
      const one = submissionOf('a.mov');
      const job = jobToInsert('amy', { jobId: one.jobId, watchId, quotas: { jobs: 0 } });
      const submitting = insertWatched(deps, job, (tx) => store.watchLedger.submit(tx, 'amy', one, AT));
      await expect(submitting).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
      expect(await stateOf(world, 'a.mov')).toBe('READY');
      expect(await store.watchLedger.madeFiles('amy', [{ path: 'out/a.mov.mp4' as MediaPath, version: '1' }])).toEqual(
        [],
      );
    });

    test('the end of a job writes its file, and a failed file is due again later', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      await submit(world, [submissionOf('a.mov')]);
      await endNext(world, { code: 'FFMPEG_FAILED', message: 'It failed.', fix: 'Repair it.' });
      const [row] = await ledger.list(watchId, { limit: 1 });
      const failure = { code: 'FFMPEG_FAILED', message: 'It failed.', fix: 'Repair it.' };
      expect(row).toMatchObject({ state: 'FAILED', failure, dueAt: '2026-11-20T10:01:00.000Z', attempts: 1 });
      expect(await ledger.due(watchId, AT, 5)).toEqual([]);
      expect(await ledger.due(watchId, LATER, 5)).toHaveLength(1);
      await submit(world, [submissionOf('a.mov')]);
      await endNext(world, [output('out/a.mov.mp4', 7)]);
      expect(await ledger.list(watchId, { limit: 1 })).toMatchObject([{ state: 'CONVERTED', attempts: 2 }]);
      expect((await ledger.list(watchId, { limit: 1 }))[0]).not.toHaveProperty('failure');
      expect(await ledger.count(watchId, 'SUBMITTED')).toBe(0);
    });

    test('a queued job that is cancelled leaves its file to a person', async () => {
      const world = await openWatched(engine);
      const { store, queue } = world;
      await store.watchLedger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      const [jobId = ''] = await submit(world, [submissionOf('a.mov')]);
      const endWrites = { watches: watchEndWrite(store.watchLedger) };
      const deps = { ...store, queue, changes: { publish: () => {} }, now: () => new Date(AT), endWrites };
      const error = { code: 'CANCELLED', message: 'Cancelled.' } as const;
      expect(await endAny(deps, { queued: { jobId, clientId: 'amy' }, error })).toBe(true);
      expect(await stateOf(world, 'a.mov')).toBe('NEEDS_ATTENTION');
    });

    test('a ready file is due also after the clock was set back, and a failed one at its time', async () => {
      const world = await openWatched(engine);
      const { watchLedger } = world.store;
      await watchLedger.record(watchId, changes({ added: [file('a.mov')] }), LATER);
      const dueAt = (at: string) =>
        watchLedger.due(watchId, at, 10).then((files) => files.map(({ path }) => path.slice('in/'.length)));
      expect(await dueAt(AT)).toEqual(['a.mov']);
      await submit(world, [submissionOf('a.mov')]);
      await endNext(world, { code: 'FFMPEG_FAILED', message: 'It failed.' });
      expect(await dueAt(AT)).toEqual([]);
      expect(await dueAt(LATER)).toEqual(['a.mov']);
    });

    test('the outputs of a watch are known by their path and size, from the submission on', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      const made = (path: string, key = 'other') =>
        ledger.madeFiles('amy', [{ path: path as MediaPath, fileKey: key, version: '7:1' }]);
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      await submit(world, [submissionOf('a.mov', { origins: ['w0', watchId] })]);
      expect(await made('out/a.mov.mp4')).toEqual([
        { path: 'out/a.mov.mp4', isPending: true, origins: ['w0', watchId] },
      ]);
      await endNext(world, [{ ...output('out/a.mov.mp4', 7), fingerprint: '99:7:1' }, output('out/a.jpg', 3)]);
      const picture = { path: 'out/a.jpg', bytes: 3, origins: ['w0', watchId] };
      expect(await made('out/a.jpg')).toEqual([picture]);
      expect(await ledger.madeFiles('bob', [{ path: 'out/a.jpg' as MediaPath, version: '1' }])).toEqual([]);
      // The same file under another name, for example by way of a symlink to its folder.
      expect(await made('in/moved.mp4', '99')).toMatchObject([{ path: 'out/a.mov.mp4', fingerprint: '99:7:1' }]);
      await submit(world, [submissionOf('b.mov')]);
      await endNext(world, { code: 'FFMPEG_FAILED', message: 'It failed.' });
      expect(await made('out/b.mov.mp4')).toEqual([]);
    });

    test('the outputs of a job that waits for more than 30 days stay known until it has ended', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      const made = () => ledger.madeFiles('amy', [{ path: 'out/a.mov.mp4' as MediaPath, version: '1' }]);
      await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      await submit(world, [submissionOf('a.mov')]);
      await ledger.removeUnseen(watchId, LATER);
      expect(await made()).toMatchObject([{ isPending: true, origins: [watchId] }]);
      await endNext(world, [output('out/a.mov.mp4', 7)]);
      await ledger.removeUnseen(watchId, new Date(Date.now() + 1000).toISOString());
      expect(await made()).toEqual([]);
    });

    test('an output stays known if a later job for its path fails', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      const made = () => ledger.madeFiles('amy', [{ path: 'out/a.mov.mp4' as MediaPath, version: '1' }]);
      await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      await submit(world, [submissionOf('a.mov')]);
      await endNext(world, [output('out/a.mov.mp4', 7)]);
      await ledger.retry(watchId, ['in/a.mov'], LATER);
      await submit(world, [submissionOf('a.mov')]);
      expect(await made()).toMatchObject([{ bytes: 7, isPending: true }]);
      await endNext(world, { code: 'FFMPEG_FAILED', message: 'It failed.' });
      expect(await made()).toMatchObject([{ bytes: 7 }]);
    });

    test('a scan adds nothing after its watch was paused or deleted', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger, watches } = world.store;
      await changeWatch(watches, watchId, { state: 'PAUSED' }, AT);
      expect(await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT)).toBe(false);
      await watches.remove(watchId);
      expect(await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT)).toBe(false);
      expect(await ledger.list(watchId, { limit: 1 })).toEqual([]);
    });

    test('a job with hundreds of outputs is known by their folder', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      await submit(world, [submissionOf('a.mov')]);
      await endNext(
        world,
        Array.from({ length: 150 }, (_, index) => output(`hls/a/${index}.ts`, index)),
      );
      expect(await ledger.madeFiles('amy', [{ path: 'hls/a/120.ts' as MediaPath, version: '1' }])).toEqual([
        { path: 'hls/a/', origins: [watchId] },
      ]);
    });

    test('a retry makes files ready: all that need attention, or those that it names', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      const gone = file('d.mov', { state: 'SKIPPED', skipReason: 'EXISTED' });
      const own = file('e.mov', { state: 'SKIPPED', skipReason: 'OWN_OUTPUT' });
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov'), file('c.mov'), gone, own] }), AT);
      for (const name of ['a.mov', 'b.mov']) {
        await submit(world, [submissionOf(name)]);
        await endNext(world, { code: 'INPUT_INVALID', message: 'No.' });
      }
      await submit(world, [submissionOf('c.mov')]);
      await endNext(world, [output('out/c.mov.mp4', 1)]);
      expect(await ledger.retry(watchId, ['in/a.mov', 'in/c.mov', 'in/d.mov', 'in/e.mov', 'in/x.mov'], LATER)).toBe(3);
      const states = (await ledger.list(watchId, { limit: 9 })).map(({ state }) => state);
      expect(states).toEqual(['READY', 'NEEDS_ATTENTION', 'READY', 'READY', 'SKIPPED']);
      expect((await ledger.find(watchId, ['in/c.mov'])).get('in/c.mov')).toMatchObject({ replaces: true, attempts: 0 });
      expect(await ledger.retry(watchId, undefined, LATER)).toBe(1);
      expect(await ledger.retry(watchId, undefined, LATER)).toBe(0);
    });

    test('the files that need attention are counted, and the one that has last come to need it is known', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      const waiting = ['a.mov', 'b.mov', 'c.mov'].map((name) => file(name));
      await ledger.record(watchId, changes({ added: waiting }), AT);
      expect(await ledger.count(watchId, 'NEEDS_ATTENTION')).toBe(0);
      const failure = { code: 'INPUT_INVALID', message: 'No.' };
      await ledger.update(rowOf('a.mov'), { state: 'NEEDS_ATTENTION', failure, changedAt: LATER });
      await ledger.update(rowOf('b.mov'), { state: 'NEEDS_ATTENTION', failure, changedAt: AT });
      expect(await ledger.count(watchId, 'NEEDS_ATTENTION')).toBe(2);
      expect(await ledger.newestFailure(watchId)).toMatchObject({ path: 'in/a.mov' });
    });

    test('the file of a job is known by the job or, after another job, by its path, until the watch is deleted', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger, watches } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      const [jobId = ''] = await submit(world, [submissionOf('a.mov')]);
      const ofJob = (id: string, path?: string) => ledger.fileOf(watchId, id, path);
      expect(await ofJob(jobId)).toMatchObject({ path: 'in/a.mov', state: 'SUBMITTED', jobId });
      expect(await ofJob(newJobId(), 'in/a.mov')).toMatchObject({ jobId });
      expect(await ofJob(newJobId(), 'in/b.mov')).toBeUndefined();
      await watches.remove(watchId);
      expect(await ofJob(jobId, 'in/a.mov')).toBeUndefined();
    });

    test('sources of converted files wait until they are settled', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      await submit(world, [submissionOf('a.mov')]);
      await endNext(world, [output('out/a.mov.mp4', 1)]);
      const [row] = await ledger.sourcesToSettle({ watchId }, AT, 5);
      expect(row).toMatchObject({ path: 'in/a.mov' });
      if (row === undefined) throw new Error('There is no source.');
      const done: FileChange = { source: 'DONE', settleAt: null };
      expect(await ledger.update({ ...row, version: 'v2' }, done)).toBe(false);
      await ledger.update(row, { sourceTarget: 'done/a.mov' });
      expect(await ledger.sourcesToSettle({ watchId }, AT, 5)).toMatchObject([{ sourceTarget: 'done/a.mov' }]);
      expect(await ledger.update(row, done)).toBe(true);
      expect(await ledger.sourcesToSettle({ watchId }, LATER, 5)).toEqual([]);
      expect((await ledger.find(watchId, ['in/a.mov'])).get('in/a.mov')).toMatchObject({ source: 'DONE' });
    });

    test('a source that cannot be settled waits, says why, and keeps no others waiting', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      for (const name of ['a.mov', 'b.mov']) {
        await submit(world, [submissionOf(name)]);
        await endNext(world, [output(`out/${name}.mp4`, 1)]);
      }
      const [first, second] = await ledger.sourcesToSettle({ watchId }, AT, 5);
      if (first === undefined || second === undefined) throw new Error('There are no sources.');
      const failure = { code: 'STORAGE_FAULT', message: 'It is read-only.' };
      await ledger.update(first, { settleAt: '2026-11-20T10:10:00.000Z', failure });
      expect(await ledger.sourcesToSettle({ watchId }, AT, 1)).toMatchObject([{ path: second.path }]);
      expect(await ledger.sourcesToSettle({ watchId }, LATER, 5)).toMatchObject([{ path: second.path }, { failure }]);
      // A clock that was an hour ahead, and more, is not waited for.
      await ledger.update(first, { settleAt: '2027-11-20T10:10:00.000Z' });
      expect(await ledger.sourcesToSettle({ watchId }, AT, 5)).toHaveLength(2);
      await ledger.update(second, { ...readyAgain(AT), replaces: true });
      expect(await ledger.list(watchId, { state: 'READY', limit: 5 })).toMatchObject([
        { path: second.path, replaces: true },
      ]);
    });

    test('a file is wanted as long as another watch of the client has not converted it', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger, watches } = world.store;
      const other = watchOf(2);
      const row = { watchId, path: 'in/a.mov' as MediaPath };
      await watches.add(other, 5);
      await ledger.record(watchId, changes({ added: [file('a.mov')] }), AT);
      expect(await ledger.isWantedByOther('amy', row)).toBe(false);
      await ledger.record(other.watchId, changes({ added: [file('a.mov')] }), AT);
      expect(await ledger.isWantedByOther('amy', row)).toBe(true);
      expect(await ledger.isWantedByOther('bob', row)).toBe(false);
      await ledger.update(rowOf('a.mov', { watchId: other.watchId }), { state: 'SKIPPED', skipReason: 'GONE' });
      expect(await ledger.isWantedByOther('amy', row)).toBe(false);
    });

    test('a change of what becomes of sources is for files that are converted from then on', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger, watches } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      await submit(world, [submissionOf('a.mov')]);
      await endNext(world, [output('out/a.mov.mp4', 1)]);
      const changed = await changeWatch(watches, watchId, { source: 'delete' }, LATER);
      expect(changed).toMatchObject({ source: 'delete', sourceSince: LATER });
      expect(await ledger.sourcesToSettle(changed ?? { watchId }, LATER, 5)).toEqual([]);
      const before = await changeWatch(watches, watchId, { source: { moveTo: 'done/' } }, AT);
      expect(await ledger.sourcesToSettle(before ?? { watchId }, LATER, 5)).toMatchObject([{ path: 'in/a.mov' }]);
      expect(await changeWatch(watches, watchId, { subfolders: false }, LATER)).toMatchObject({ sourceSince: AT });
      // A change that sends the same value again does not move `sourceSince`.
      const same = await changeWatch(watches, watchId, { source: { moveTo: 'done/' } }, LATER);
      expect(same).toMatchObject({ sourceSince: AT });
    });

    test('files that match only after a change count as existing, until the next whole scan', async () => {
      const { watches } = (await openWatched(engine)).store;
      const scanned = async () => void (await watches.update(watchId, (watch) => ({ ...watch, firstScanAt: AT })));
      await scanned();
      expect(await changeWatch(watches, watchId, { name: 'Cards', subfolders: false }, AT)).toMatchObject({
        firstScanAt: AT,
      });
      expect(await changeWatch(watches, watchId, { subfolders: true }, AT)).not.toHaveProperty('firstScanAt');
      await scanned();
      expect(await changeWatch(watches, watchId, { patterns: ['*.mp4'] }, AT)).not.toHaveProperty('firstScanAt');
    });

    test('nothing is submitted after a watch was paused or deleted', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger, watches, jobs } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      await changeWatch(watches, watchId, { state: 'PAUSED' }, AT);
      expect(await submit(world, [submissionOf('a.mov')])).toEqual([]);
      await changeWatch(watches, watchId, { state: 'ACTIVE' }, AT);
      expect(await submit(world, [submissionOf('a.mov')])).toHaveLength(1);
      await watches.remove(watchId);
      expect(await submit(world, [submissionOf('b.mov')])).toEqual([]);
      expect(await jobs.list({ limit: 10 })).toHaveLength(1);
    });

    test('rows of files that were not seen for long are removed, but not of files with jobs', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov'), file('c.mov')] }), AT);
      await submit(world, [submissionOf('c.mov')]);
      const seen = { row: rowOf('b.mov'), change: { seenAt: LATER } };
      await ledger.record(watchId, changes({ changed: [seen] }), LATER);
      expect(await ledger.removeUnseen(watchId, LATER)).toBe(1);
      expect((await ledger.list(watchId, { limit: 5 })).map(({ path }) => path)).toEqual(['in/b.mov', 'in/c.mov']);
    });

    test('the jobs of a watch are listed, with and without a status', async () => {
      const world = await openWatched(engine);
      const { watchLedger: ledger, jobs } = world.store;
      await ledger.record(watchId, changes({ added: [file('a.mov'), file('b.mov')] }), AT);
      const ids = [
        ...(await submit(world, [submissionOf('a.mov')])),
        ...(await submit(world, [submissionOf('b.mov')])),
      ];
      await endNext(world, []);
      expect((await jobs.list({ limit: 5, watchId })).map(({ jobId }) => jobId)).toEqual(ids.toReversed());
      expect(await jobs.list({ limit: 5, watchId, status: 'COMPLETED' })).toMatchObject([{ jobId: ids[0] }]);
      expect(await jobs.list({ limit: 5, watchId, clientId: 'bob' })).toEqual([]);
      expect(await jobs.sizes({ limit: 5, watchId: watchOf(2).watchId })).toEqual([]);
    });
  });
}
