import { describe, expect, test, vi } from 'vitest';
import type { MediaPath } from '../../src/domain/media-path.ts';
import { CANCELLED_ON_REQUEST, endJob, type JobToEnd } from '../../src/jobs/end-job.ts';
import { insertBatcher } from '../../src/jobs/submit/insert-batcher.ts';
import { AT, type Engine, jobToInsert as job, mustClaim, take, type World } from './engine.ts';

const DAY = AT.slice(0, 10);

const service = ({ store, queue }: World) => insertBatcher({ ...store, queue, now: () => new Date(AT) });

const end = ({ store, queue }: World, ended: JobToEnd) =>
  endJob(
    { ...store, queue, changes: { publish: () => {} }, now: () => new Date(AT), endWrites: [store.usage.settle] },
    ended,
  );

/** Runs the next job to its end. */
async function finish(world: World, outcome: 'COMPLETED' | 'FAILED', durationSeconds = 0): Promise<void> {
  const [delivery] = await take(world);
  if (delivery === undefined) throw new Error('No ticket was handed out.');
  const claim = await mustClaim(world, delivery.jobId);
  const failed = { status: 'FAILED', error: { code: 'FFMPEG_FAILED', message: '' } } as const;
  const completed = { status: 'COMPLETED', outputs: [{ path: 'b.mp4', sizeBytes: 1, durationSeconds }] } as const;
  await end(world, { claim, delivery, outcome: outcome === 'FAILED' ? failed : completed, log: '' });
}

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

    test('another attempt of a job uses nothing more', async () => {
      const world = await engine.open();
      await service(world)(job('amy', { quotas: { jobs: 1 } }));
      const [delivery] = await take(world);
      if (delivery === undefined) throw new Error('No ticket was handed out.');
      const claim = await mustClaim(world, delivery.jobId);
      await world.store.transactions.run(async (tx) => {
        await world.queue.requeue(tx, delivery, 0);
        await world.store.jobs.requeue(tx, claim, true);
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

    test('the end of a job that an earlier version stored makes no use negative', async () => {
      const world = await engine.open();
      const { store, queue } = world;
      const uncounted = { ...store, queue, usage: { reserve: async () => ({ jobs: 0, mediaSeconds: 0 }) } };
      const old = job('amy', { reservedMediaSeconds: 60 });
      await insertBatcher({ ...uncounted, now: () => new Date(AT) })(old);
      await service(world)(job('bob'));
      await store.transactions.run((tx) => store.usage.reserve(tx, 'amy', DAY, { jobs: 0, mediaSeconds: 1 }));
      await end(world, { queued: old, error: CANCELLED_ON_REQUEST });
      expect(await store.usage.ofDay('amy', DAY)).toEqual({ jobs: 0, mediaSeconds: 0 });
    });

    test('a job that is cancelled before it starts gives its place back', async () => {
      const world = await engine.open();
      const insert = service(world);
      const queued = job('amy', { quotas: { jobs: 1, media: 60 }, reservedMediaSeconds: 60 });
      await insert(queued);
      await end(world, { queued, error: CANCELLED_ON_REQUEST });
      expect(await world.store.usage.ofDay('amy', DAY)).toEqual({ jobs: 0, mediaSeconds: 0 });
    });

    test('files of a client never exceed its storage together, also of requests at the same time', async () => {
      const { storedFiles } = (await engine.open()).store;
      const limit = 100;
      const counts = Array.from({ length: 10 }, (_, index) =>
        storedFiles.count('amy', [{ path: `${index}.mp4`, bytes: 30 }], limit),
      );
      const results = await Promise.allSettled([...counts, storedFiles.count('bob', [{ path: 'a.mp4', bytes: 7 }], 7)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ code: 'QUOTA_EXCEEDED', quota: { name: 'storage', used: 90, limit } });
      expect(await storedFiles.used('amy')).toBe(90);
      expect(await storedFiles.used('bob')).toBe(7);
    });

    test('a file counts once, a removed one not at all, and one that replaced it stays', async () => {
      const { storedFiles } = (await engine.open()).store;
      await storedFiles.count('amy', [{ path: 'a', bytes: 90 }], 100);
      await storedFiles.count(
        'amy',
        [
          { path: 'a', bytes: 80 },
          { path: 'b', bytes: 20 },
        ],
        100,
      );
      expect(await storedFiles.used('amy')).toBe(100);
      await storedFiles.count('amy', [{ path: 'a', bytes: 200 }]);
      // A smaller file is allowed also above the quota.
      await storedFiles.count('amy', [{ path: 'a', bytes: 150 }], 100);
      await storedFiles.forget('amy', [
        { path: 'a', bytes: 80 },
        { path: 'b', bytes: 20 },
      ]);
      expect(await storedFiles.used('amy')).toBe(150);
      await storedFiles.forget('bob', [{ path: 'a' }]);
      await storedFiles.forget('amy', [{ path: 'a' }]);
      expect(await storedFiles.used('amy')).toBe(0);
    });

    test('an unfinished upload counts with its whole size, and is not created if that does not fit', async () => {
      const { storedFiles, resumableUploads } = (await engine.open()).store;
      const record = (uploadId: string, sizeBytes: number) => ({
        ...{ uploadId, clientId: 'amy', path: 'a.mp4' as MediaPath, sizeBytes, offsetBytes: 0 },
        ...{ metadata: '', precondition: '{}', data: '', isPublished: false },
      });
      const add = (id: string, sizeBytes: number) =>
        resumableUploads.add(record(id, sizeBytes), 60, { maxOpen: 5, maxStoredBytes: 100 });
      await storedFiles.count('amy', [{ path: 'b', bytes: 30 }], 100);
      const results = await Promise.allSettled([add('one', 40), add('two', 40), add('three', 40)]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await storedFiles.used('amy')).toBe(70);
      for (const id of ['one', 'two', 'three']) await resumableUploads.remove(id);
      expect(await storedFiles.used('amy')).toBe(30);
    });

    test('several requests at once create no more uploads than a client may have', async () => {
      const { resumableUploads } = (await engine.open()).store;
      const add = (index: number) =>
        resumableUploads.add(
          {
            ...{ uploadId: `${index}`, clientId: 'amy', path: 'a.mp4' as MediaPath, sizeBytes: 1, offsetBytes: 0 },
            ...{ metadata: '', precondition: '{}', data: '', isPublished: false },
          },
          60,
          { maxOpen: 3 },
        );
      const added = await Promise.all(Array.from({ length: 9 }, (_, index) => add(index)));
      expect(added.filter(Boolean)).toHaveLength(3);
    });

    test('checks find files that are gone or have another size, but change none that was published again', async () => {
      const { storedFiles } = (await engine.open()).store;
      await storedFiles.count('amy', [
        { path: 'gone', bytes: 1 },
        { path: 'grown', bytes: 2 },
        { path: 'new', bytes: 4 },
      ]);
      const later = new Date(Date.now() + 1000).toISOString();
      const [gone, grown, fresh] = (await storedFiles.checkedBefore(later, 10)).toSorted((a, b) =>
        a.path < b.path ? -1 : 1,
      );
      if (gone === undefined || grown === undefined || fresh === undefined) throw new Error('Files are missing.');
      await vi.waitFor(async () => {
        await storedFiles.count('amy', [{ path: 'new', bytes: 8 }]);
        const again = (await storedFiles.checkedBefore(later, 10)).find(({ path }) => path === 'new');
        expect(again?.checkedAt).not.toBe(fresh.checkedAt);
      });
      await storedFiles.settle(gone, undefined);
      await storedFiles.settle(grown, { bytes: 20, at: later });
      await storedFiles.settle(fresh, undefined);
      expect(await storedFiles.used('amy')).toBe(28);
    });
  });
}
