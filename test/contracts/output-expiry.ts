import { describe, expect, onTestFinished } from 'vitest';
import { JobFailed } from '../../packages/contract/src/domain/failure.ts';
import { endJob } from '../../packages/service/src/jobs/end-job.ts';
import { type ExpireOutputsDeps, expireOutputs } from '../../packages/service/src/jobs/expire-outputs.ts';
import type { JobChange } from '../../packages/service/src/jobs/job-changes.ts';
import { output, writeOutputs } from '../fixtures/media-plans.ts';
import { AT, type Engine, mustClaim, submitOne, take, type World } from './engine.ts';
import type { MediaUnderTest } from './media.ts';

const LIFETIME = 3600;
const later = (seconds: number): string => new Date(Date.parse(AT) + seconds * 1000).toISOString();

/** A store, media, and the sweep of one process on them. */
export interface ExpiryTest {
  readonly world: World;
  readonly t: MediaUnderTest;
  readonly changes: JobChange[];
  readonly failures: string[];
  /** Runs a job that publishes these files and ends at `AT`. Resolves to its id. */
  publish(path: string, files: Readonly<Record<string, string>>, lifetimeSeconds?: number): Promise<string>;
  /** Runs a round, by default when the outputs have just expired. */
  sweep(seconds?: number, more?: Partial<ExpireOutputsDeps>): Promise<void>;
}

export async function openExpiryTest(
  engine: Engine,
  openMedia: (world: World) => Promise<MediaUnderTest>,
): Promise<ExpiryTest> {
  const world = await engine.open();
  const t = await openMedia(world);
  onTestFinished(() => t.close());
  const { store, queue } = world;
  const changes: JobChange[] = [];
  const failures: string[] = [];
  const shared = {
    ...store,
    queue,
    changes: { publish: (change: JobChange) => void changes.push(change) },
    now: () => new Date(AT),
  };
  return {
    world,
    t,
    changes,
    failures,
    async publish(path, files, lifetimeSeconds) {
      const jobId = await submitOne(world);
      const [delivery] = await take(world);
      if (delivery === undefined) throw new Error('No ticket was taken.');
      const claim = await mustClaim(world, jobId);
      const scratch = await t.media.openScratch(jobId, 1);
      await writeOutputs(t.media, scratch, files);
      const intent = await t.media.prepare(
        t.root,
        scratch,
        [{ files: output(path, { replace: true }), report: {} }],
        [],
      );
      await t.media.publish(intent);
      const { outputs } = intent;
      const lifetime = lifetimeSeconds === undefined ? {} : { lifetimeSeconds };
      await endJob(shared, { claim, delivery, outcome: { status: 'COMPLETED', outputs, ...lifetime }, log: '' });
      await t.media.discard(scratch);
      return jobId;
    },
    sweep: (seconds = LIFETIME, more = {}) =>
      expireOutputs({
        ...shared,
        expiries: store.outputExpiries,
        stored: store.storedFiles,
        media: t.media,
        clientContextOf: async () => ({ root: t.root }),
        now: () => new Date(later(seconds)),
        onFailure: (jobId) => void failures.push(jobId),
        ...more,
      }),
  };
}

type Test = (title: string, run: () => Promise<void>) => void;

/** The removal of expired outputs. `openMedia`: opens the media storage on which the outputs are. */
export function outputExpiryContract(
  engine: Engine,
  storage: string,
  openMedia: (world: World) => Promise<MediaUnderTest>,
  test: Test,
): void {
  describe(`expired outputs on ${storage}, with ${engine.name}`, () => {
    const open = () => openExpiryTest(engine, openMedia);
    const jobOf = ({ world }: ExpiryTest, jobId: string) => world.store.jobs.get(jobId);

    test('outputs go when their time is over, not before, and the job shows both', async () => {
      const e = await open();
      const kept = await e.publish('kept.mp4', { 'kept.mp4': 'kept' });
      const jobId = await e.publish('a/o.m3u8', { 'o.m3u8': 'list', 'o0.ts': 'zero' }, LIFETIME);
      await e.t.put('a/foreign.txt', 'foreign');
      expect(await jobOf(e, jobId)).toMatchObject({ outputsExpireAt: later(LIFETIME) });
      await e.sweep(LIFETIME - 1);
      expect(await e.t.list()).toEqual(['a/foreign.txt', 'a/o.m3u8', 'a/o0.ts', 'kept.mp4']);
      expect(await jobOf(e, jobId)).not.toHaveProperty('outputsExpired');
      await e.sweep();
      expect(await e.t.list()).toEqual(['a/foreign.txt', 'kept.mp4']);
      expect(await jobOf(e, jobId)).toMatchObject({ outputsExpired: true, outputs: [{}, {}] });
      expect(await jobOf(e, kept)).not.toHaveProperty('outputsExpireAt');
    });

    test('the removal is a change of the job with a number of its own, once', async () => {
      const e = await open();
      const jobId = await e.publish('o.mp4', { 'o.mp4': 'film' }, LIFETIME);
      const before = await e.world.store.changeLog.of(jobId);
      e.changes.length = 0;
      await e.sweep();
      await e.sweep();
      expect(e.changes).toEqual([{ kind: 'expired', jobId, clientId: 'amy' }]);
      expect((await e.world.store.changeLog.of(jobId))?.number).toBeGreaterThan(before?.number ?? Number.NaN);
    });

    test('a file that replaced an output stays, also if another job or a retry wrote it', async () => {
      const e = await open();
      await e.publish('o.m3u8', { 'o.m3u8': 'list', 'o0.ts': 'zero', 'o1.ts': 'one' }, LIFETIME);
      await e.t.put('o0.ts', 'changed');
      const again = await e.publish('o.m3u8', { 'o.m3u8': 'again' });
      await e.sweep();
      expect(await e.t.list()).toEqual(['o.m3u8', 'o0.ts']);
      expect(await e.t.get('o.m3u8')).toBe('again');
      expect(await jobOf(e, again)).not.toHaveProperty('outputsExpired');
    });

    test('expired outputs count no more, but a file of the same size that replaced one does', async () => {
      const e = await open();
      const { storedFiles } = e.world.store;
      await storedFiles.add('amy', { files: 8 });
      await e.publish('o.m3u8', { 'o.m3u8': 'list', 'o0.ts': 'zero' }, LIFETIME);
      await e.t.put('o0.ts', 'null');
      expect(await storedFiles.used('amy')).toBe(8);
      await e.sweep();
      expect(await e.t.list()).toEqual(['o0.ts']);
      expect(await storedFiles.used('amy')).toBe(4);
    });

    test('outputs expire also if their job was deleted before', async () => {
      const e = await open();
      const jobId = await e.publish('o.mp4', { 'o.mp4': 'film' }, LIFETIME);
      await e.world.store.transactions.run((tx) => e.world.store.jobs.remove(tx, jobId));
      await e.sweep();
      expect(await e.t.list()).toEqual([]);
      expect(await e.world.store.outputExpiries.due(later(LIFETIME), 9)).toEqual([]);
    });

    test('many outputs expire in parts, and also if their job is deleted', async () => {
      const e = await open();
      const names = Array.from({ length: 550 }, (_, n) => [`o${n}.ts`, 'zero'] as const);
      const files = { 'o.m3u8': 'list', ...Object.fromEntries(names) };
      const kept = await e.publish('a/o.m3u8', files, LIFETIME);
      const deleted = await e.publish('b/o.m3u8', files, LIFETIME);
      const { store } = e.world;
      await store.transactions.run((tx) => store.jobs.remove(tx, deleted));
      const sizes: number[] = [];
      const removeOutputs: typeof e.t.media.removeOutputs = async (root, outputs) => {
        sizes.push(outputs.length);
        const bytes = await e.t.media.removeOutputs(root, outputs);
        // A client may delete the job while its outputs are removed.
        await store.transactions.run((tx) => store.jobs.remove(tx, kept));
        return bytes;
      };
      await e.sweep(LIFETIME, { media: { removeOutputs } });
      expect(await e.t.list()).toEqual([]);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(500);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(2 * 551);
    });

    test('a sweep that died after it had removed files is finished by the next', async () => {
      const e = await open();
      const jobId = await e.publish('o.mp4', { 'o.mp4': 'film' }, LIFETIME);
      const died = new Error('died');
      const onRemoved = () => {
        throw died;
      };
      await expect(e.sweep(LIFETIME, { onRemoved })).rejects.toBe(died);
      expect(await e.t.list()).toEqual([]);
      await e.t.put('o.mp4', 'foreign');
      await e.sweep();
      expect(await e.t.get('o.mp4')).toBe('foreign');
      expect(await jobOf(e, jobId)).toMatchObject({ outputsExpired: true });
    });

    test('while the storage is down, outputs are tried again later, and those of others are removed', async () => {
      const e = await open();
      const failing = await e.publish('down.mp4', { 'down.mp4': 'film' }, LIFETIME);
      await e.publish('up.mp4', { 'up.mp4': 'film' }, LIFETIME);
      const removeOutputs: typeof e.t.media.removeOutputs = async (root, outputs) => {
        if (outputs[0]?.path === 'down.mp4') throw new JobFailed({ code: 'STORAGE_FAULT', message: 'down' });
        return e.t.media.removeOutputs(root, outputs);
      };
      await e.sweep(LIFETIME, { media: { removeOutputs } });
      expect(await e.t.list()).toEqual(['down.mp4']);
      expect(e.failures).toEqual([failing]);
      expect(await jobOf(e, failing)).toMatchObject({ outputsExpireAt: later(LIFETIME) });
      await e.sweep(LIFETIME + 60);
      expect(await e.t.list()).toEqual(['down.mp4']);
      await e.sweep(LIFETIME + 600);
      expect(await e.t.list()).toEqual([]);
    });

    test('one process at a time removes outputs, and more than one batch in a round', async () => {
      const e = await open();
      for (let n = 0; n < 25; n += 1) await e.publish(`${n}.mp4`, { [`${n}.mp4`]: 'film' }, LIFETIME);
      const { leases } = e.world.store;
      const held = Promise.withResolvers<void>();
      const removing = Promise.withResolvers<void>();
      const removeOutputs: typeof e.t.media.removeOutputs = async (root, outputs) => {
        removing.resolve();
        await held.promise;
        return e.t.media.removeOutputs(root, outputs);
      };
      const first = e.sweep(LIFETIME, { leases, media: { removeOutputs } });
      await removing.promise;
      await e.sweep(LIFETIME, { leases });
      expect(await e.t.list()).toHaveLength(25);
      held.resolve();
      await first;
      expect(await e.t.list()).toEqual([]);
      expect(e.changes.filter(({ kind }) => kind === 'expired')).toHaveLength(25);
    });
  });
}
