import { describe, expect, test } from 'vitest';
import { recordBytesOf } from '../../packages/contract/src/domain/client-limits.ts';
import { CANCELLED_ON_REQUEST } from '../../packages/service/src/jobs/end-job.ts';
import type { Claim, JobOutcome } from '../../packages/service/src/jobs/ports/job-store.ts';
import type { PublishIntent } from '../../packages/service/src/jobs/ports/media-store.ts';
import { insertBatcher } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import { clientRecords } from '../../packages/service/src/store/client-records.ts';
import { at } from '../fixtures/media-plans.ts';
import {
  type AnyEnd,
  AT,
  type Engine,
  endAny,
  inDatabase,
  jobToInsert as job,
  mustClaim,
  take,
  type World,
} from './engine.ts';

const DAY = AT.slice(0, 10);

const service = ({ store, queue }: World) => insertBatcher({ ...store, queue, now: () => new Date(AT) });

const end = ({ store, queue }: World, ended: AnyEnd) =>
  endAny(
    {
      ...store,
      queue,
      changes: { publish: () => {} },
      now: () => new Date(AT),
      endWrites: { usage: store.usage.settle },
    },
    ended,
  );

const intentOf = ({ job: { jobId }, fence }: Claim, durationSeconds: number): PublishIntent => ({
  scratch: `${jobId}.${fence}`,
  outputs: [{ path: `${jobId}.mp4`, sizeBytes: 1, durationSeconds }],
  engine: 'test',
  version: 1,
  data: {},
});

function jobOf(claim: Claim | undefined): Claim['job'] {
  if (claim === undefined) throw new Error('No job was taken.');
  return claim.job;
}

/** Runs the next job to its end. */
async function finish(world: World, outcome: 'COMPLETED' | 'FAILED', durationSeconds = 0): Promise<void> {
  const [delivery] = await take(world);
  if (delivery === undefined) throw new Error('No ticket was handed out.');
  const claim = await mustClaim(world, delivery.jobId);
  const failed = { status: 'FAILED', error: { code: 'FFMPEG_FAILED', message: '' } } as const;
  const completed = { status: 'COMPLETED', outputs: [{ path: 'b.mp4', sizeBytes: 1, durationSeconds }] } as const;
  await end(world, { claim, delivery, outcome: outcome === 'FAILED' ? failed : completed, log: '' });
}

/** What the records of a client count now. The service may use a total that is a second old. */
const readRecords = async (world: World, clientId: string): Promise<number> =>
  inDatabase(world, async (db) => clientRecords(db)(clientId));

/** The quotas of clients. */
export function usageContract(engine: Engine): void {
  describe(`usage on ${engine.name}`, () => {
    test('counts the jobs of each client and day', async () => {
      const world = await engine.open();
      const insert = service(world);
      await Promise.all([job('amy'), job('amy'), job('bob')].map(insert));
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 2, mediaSeconds: 0 });
      expect(await world.store.usage.ofDay('bob', DAY)).toEqual({ jobs: 1, mediaSeconds: 0 });
      expect(await world.store.usage.ofDay('amy', '2026-11-19')).toEqual({ jobs: 0, mediaSeconds: 0 });
      await world.store.usage.forgetBefore('2026-11-21');
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 0, mediaSeconds: 0 });
    });

    test('the records of a client grow with its requests and results, and shrink with its deleted jobs', async () => {
      const world = await engine.open();
      const { store } = world;
      const insert = service(world);
      const recordsOf = () => readRecords(world, 'amy');
      const request = JSON.stringify({ input: 'a.mp4', output: 'b.mp4', metadata: { note: 'é'.repeat(1000) } });
      const [small, large] = [job('amy'), job('amy', { request, warnings: '[]' })];
      await Promise.all([small, job('bob')].map(insert));
      const ofSmall = await recordsOf();
      expect(ofSmall).toBe(recordBytesOf(small));
      await insert(large);
      expect(await recordsOf()).toBe(ofSmall + recordBytesOf(large));
      expect(recordBytesOf(large)).toBeGreaterThan(ofSmall + 4000);
      // What an ordinary job makes is in what counts for each job.
      await finish(world, 'COMPLETED');
      expect(await recordsOf()).toBe(ofSmall + recordBytesOf(large));
      const outputs = Array.from({ length: 300 }, (_, n) => ({ path: `${'long/'.repeat(40)}${n}.ts`, sizeBytes: 1 }));
      const [delivery] = await take(world);
      if (delivery === undefined) throw new Error('No ticket was handed out.');
      const claim = await mustClaim(world, delivery.jobId);
      const bobs = await readRecords(world, 'bob');
      await end(world, { claim, delivery, outcome: { status: 'COMPLETED', outputs }, log: 'l'.repeat(5000) });
      const owner = claim.job.clientId;
      const grown = (await readRecords(world, owner)) - (owner === 'bob' ? bobs : ofSmall + recordBytesOf(large));
      expect(grown).toBeGreaterThan(300 * 200 + 5000);
      expect(grown).toBeLessThan(2 * (300 * 250 + 5000));
      const before = await readRecords(world, owner);
      await store.transactions.run((tx) => store.jobs.remove(tx, delivery.jobId));
      expect(await readRecords(world, owner)).toBeLessThan(before - grown - 2000);
      await store.usage.forgetRecordsBefore('2026-11-21');
      expect(await recordsOf()).toBe(0);
    });

    test('a deleted job gives back just what its warnings, its request and its texts of many bytes have counted', async () => {
      const world = await engine.open();
      const [earlier, later] = ['é'.repeat(3000), 'ß'.repeat(4000)].map((message) => ({ code: 'NO_EFFECT', message }));
      await service(world)(job('amy'));
      const rest = await readRecords(world, 'amy');
      await finish(world, 'COMPLETED');
      await service(world)(job('amy', { warnings: JSON.stringify([earlier]) }));
      const [delivery] = await take(world);
      if (delivery === undefined) throw new Error('No ticket was handed out.');
      const claim = await mustClaim(world, delivery.jobId);
      const request = { ...claim.job.request, llmId: 'ü'.repeat(500) };
      const outcome = { status: 'COMPLETED', outputs: [], warnings: [later], request } as unknown as JobOutcome;
      await end(world, { claim, delivery, outcome, log: 'é'.repeat(5000) });
      expect(await readRecords(world, 'amy')).toBeGreaterThan(rest + 2 * 6000 + 2 * 8000 + 10_000 - 2048);
      await world.store.transactions.run((tx) => world.store.jobs.remove(tx, delivery.jobId));
      expect(await readRecords(world, 'amy')).toBe(rest);
    });

    test('submissions to several services at the same time never exceed a quota together, and others are stored', async () => {
      const world = await engine.open();
      const services = [service(world), service(world), service(world)];
      const amys = Array.from({ length: 30 }, () => job('amy', { quotas: { jobs: 7 } }));
      const bobs = Array.from({ length: 6 }, () => job('bob'));
      const results = await Promise.allSettled([...amys, ...bobs].map((one, index) => services[index % 3]?.(one)));
      const rejected = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      expect(rejected).toHaveLength(23);
      const quota = { name: 'jobs', used: 7, limit: 7 };
      // 14 hours until midnight.
      for (const problem of rejected)
        expect(problem).toMatchObject({ code: 'QUOTA_EXCEEDED', retryAfterSeconds: 50_400, quota });
      expect(await world.store.jobs.countPending('amy', 99)).toBe(7);
      expect(await world.store.jobs.countPending('bob', 99)).toBe(6);
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 7, mediaSeconds: 0 });
    });

    test('lists what all clients use, those with the most space first, and their sum also on a page', async () => {
      const world = await engine.open();
      const { clients, resumableUploads, storedFiles, usage } = world.store;
      const added = { secretHash: 'h', scopes: [], createdAt: AT };
      for (const clientId of ['amy', 'bob', 'carl', 'dan'])
        await clients.add({ ...added, clientId, root: `/m/${clientId}` });
      // It has the media root of bob, whose files count once in the sum.
      await clients.add({ ...added, clientId: 'eve', root: '/m/bob' });
      await clients.update('bob', { limits: { storage: 9e10 }, revokedAt: AT });
      await service(world)(job('amy'));
      // More than fits into 32 bits.
      await storedFiles.add('bob', { files: 5e10 });
      await storedFiles.add('amy', { files: 100 });
      await storedFiles.reserve('amy', 'a', 70, 1000);
      const upload = {
        clientId: 'carl',
        path: at('c.mp4'),
        offsetBytes: 0,
        metadata: '',
        precondition: '{}',
        data: '',
      };
      const open = { ...upload, uploadId: 'u', sizeBytes: 1000, isPublished: false };
      expect(await resumableUploads.add(open, 'holder', 3600, { maxOpen: 9, maxPublished: 9 })).toBe(true);
      await storedFiles.add('carl', { bin: 7 });

      const amy = {
        clientId: 'amy',
        storedBytes: await storedFiles.used('amy'),
        binBytes: 0,
        jobs: 1,
        mediaSeconds: 0,
      };
      const bob = { clientId: 'bob', storedBytes: 5e10, binBytes: 0, jobs: 0, mediaSeconds: 0 };
      const carl = { clientId: 'carl', storedBytes: 1000, binBytes: 7, jobs: 0, mediaSeconds: 0 };
      const total = { clients: 5, storedBytes: 5e10 + 1000 + amy.storedBytes, binBytes: 7 };
      expect(amy.storedBytes).toBe(170);
      const all = await usage.ofAll(DAY, { limit: 9, offset: 0 });
      expect(all.total).toEqual(total);
      expect(all.clients).toEqual([
        { ...bob, revokedAt: AT, limits: { storage: 9e10 } },
        carl,
        amy,
        { ...bob, clientId: 'dan', storedBytes: 0 },
        { ...bob, clientId: 'eve', storedBytes: 0 },
      ]);
      const second = await usage.ofAll('2026-11-19', { limit: 1, offset: 2 });
      expect(second).toEqual({ clients: [{ ...amy, jobs: 0 }], total });
    });

    test('a repeated Idempotency-Key uses no quota', async () => {
      const world = await engine.open();
      const insert = service(world);
      const more = { quotas: { jobs: 1 }, idempotency: { key: 'k', bodyHash: 'h', notBefore: AT } };
      const first = job('amy', more);
      await insert(first);
      expect(await insert(job('amy', more))).toEqual({ jobId: first.jobId, bodyHash: 'h' });
    });

    test('a job reserves media until it ends, and then uses what it published', async () => {
      const world = await engine.open();
      const insert = service(world);
      const more = { quotas: { media: 100 }, reservedMediaSeconds: 60 };
      await insert(job('amy', more));
      await expect(insert(job('amy', more))).rejects.toMatchObject({ quota: { name: 'media', used: 60, limit: 100 } });
      await finish(world, 'COMPLETED', 10.5);
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 1, mediaSeconds: 10.5 });
      await insert(job('amy', more));
      await finish(world, 'FAILED');
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 2, mediaSeconds: 10.5 });
    });

    test('a job cannot publish more media than its client has left, whatever its request stated', async () => {
      const world = await engine.open();
      const { store } = world;
      const insert = service(world);
      const more = { quotas: { media: 10 }, reservedMediaSeconds: 1 };
      await Promise.all([insert(job('amy', more)), insert(job('amy', more))]);
      const taken = await take(world, 2);
      const claims = await Promise.all(taken.map(({ jobId }) => mustClaim(world, jobId)));
      const publish = (claim: Claim | undefined, durationSeconds: number) =>
        claim && store.jobs.recordIntent(claim, intentOf(claim, durationSeconds), { media: 10 });
      const [first, second] = claims;
      expect(await store.usage.leftFor(jobOf(first), 10)).toBe(9);
      await expect(publish(first, 4400)).rejects.toMatchObject({
        code: 'QUOTA_EXCEEDED',
        quota: { name: 'media', used: 1, limit: 10 },
      });
      // Nothing of it is stored.
      expect(await store.usage.ofDay('amy', DAY)).toEqual({ jobs: 2, mediaSeconds: 2 });
      // Each fits beside what the other has reserved, but not both.
      const results = await Promise.allSettled([publish(first, 8), publish(second, 8)]);
      expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await store.usage.ofDay('amy', DAY)).toEqual({ jobs: 2, mediaSeconds: 9 });
      const winner = results[0]?.status === 'fulfilled' ? 0 : 1;
      // The reply to the commit may be lost; the repeated write counts nothing more.
      await publish(claims[winner], 8);
      const [claim, delivery] = [claims[winner], taken[winner]];
      if (claim === undefined || delivery === undefined) throw new Error('No job was taken.');
      const outcome = { status: 'COMPLETED', outputs: intentOf(claim, 8).outputs } as const;
      await end(world, { claim, delivery, outcome, log: '' });
      expect(await store.usage.ofDay('amy', DAY)).toEqual({ jobs: 2, mediaSeconds: 9 });
      const [lost, its] = [claims[1 - winner], taken[1 - winner]];
      if (lost === undefined || its === undefined) throw new Error('No job was taken.');
      const failed = { status: 'FAILED', error: { code: 'LIMIT_EXCEEDED', message: '' } } as const;
      await end(world, { claim: lost, delivery: its, outcome: failed, log: '' });
      expect(await store.usage.ofDay('amy', DAY)).toEqual({ jobs: 2, mediaSeconds: 8 });
    });

    test('an output that ends a frame later than its request stated is published, although nothing is left', async () => {
      const world = await engine.open();
      await service(world)(job('amy', { quotas: { media: 4 }, reservedMediaSeconds: 4 }));
      const [delivery] = await take(world);
      const claim = await mustClaim(world, delivery?.jobId ?? '');
      expect(await world.store.jobs.recordIntent(claim, intentOf(claim, 4.04), { media: 4 })).toBe(true);
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 1, mediaSeconds: 4.04 });
    });

    test('a job may publish what it has reserved, also if others published a little more than they reserved', async () => {
      const world = await engine.open();
      const insert = service(world);
      const reserving = { quotas: { media: 40 }, reservedMediaSeconds: 10 };
      await Promise.all(Array.from({ length: 4 }, () => insert(job('amy', reserving))));
      const taken = await take(world, 4);
      const claims = await Promise.all(taken.map(({ jobId }) => mustClaim(world, jobId)));
      const last = claims.pop();
      for (const claim of claims) await world.store.jobs.recordIntent(claim, intentOf(claim, 10.9), { media: 40 });
      expect(await world.store.usage.leftFor(jobOf(last), 40)).toBe(10);
      expect(await world.store.usage.leftFor(jobOf(last), 5), 'after the quota was lowered').toBe(10);
    });

    test('what a job reserved at its publication is given back if it fails then', async () => {
      const world = await engine.open();
      await service(world)(job('amy', { quotas: { media: 10 }, reservedMediaSeconds: 1 }));
      const [delivery] = await take(world);
      if (delivery === undefined) throw new Error('No ticket was handed out.');
      const claim = await mustClaim(world, delivery.jobId);
      await world.store.jobs.recordIntent(claim, intentOf(claim, 9), { media: 10 });
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 1, mediaSeconds: 9 });
      await world.store.jobs.recordIntent(claim, { ...intentOf(claim, 9), abandoned: true }, { media: 10 });
      const failed = { status: 'FAILED', error: { code: 'STORAGE_FAULT', message: '' } } as const;
      await end(world, { claim, delivery, outcome: failed, log: '' });
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 1, mediaSeconds: 0 });
    });

    test('another attempt of a job uses nothing more', async () => {
      const world = await engine.open();
      await service(world)(job('amy', { quotas: { jobs: 1 } }));
      const [delivery] = await take(world);
      if (delivery === undefined) throw new Error('No ticket was handed out.');
      const claim = await mustClaim(world, delivery.jobId);
      await world.store.transactions.run(async (tx) => {
        await world.queue.requeue(tx, delivery, 0);
        await world.store.jobs.requeue(tx, claim, { keepAttempt: true });
      });
      await finish(world, 'COMPLETED', 5);
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 1, mediaSeconds: 5 });
    });

    test('the segments of an output count with their length in all', async () => {
      const world = await engine.open();
      await service(world)(job('amy'));
      const [delivery] = await take(world);
      if (delivery === undefined) throw new Error('No ticket was handed out.');
      const claim = await mustClaim(world, delivery.jobId);
      const outputs = [
        { path: '0.ts', sizeBytes: 1, mediaSeconds: 30 },
        ...['1.ts', '2.ts'].map((path) => ({ path, sizeBytes: 1 })),
      ];
      await end(world, { claim, delivery, outcome: { status: 'COMPLETED', outputs }, log: '' });
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 1, mediaSeconds: 30 });
    });

    test('a job that is cancelled before it starts gives its reservation back', async () => {
      const world = await engine.open();
      const insert = service(world);
      const queued = job('amy', { quotas: { jobs: 1, media: 60 }, reservedMediaSeconds: 60 });
      await insert(queued);
      await end(world, { queued, error: CANCELLED_ON_REQUEST });
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 0, mediaSeconds: 0 });
    });
  });
}
