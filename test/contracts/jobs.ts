import { v7 as uuid } from 'uuid';
import { describe, expect, test } from 'vitest';
import { type Failure, MAX_ATTEMPTS } from '../../packages/contract/src/domain/failure.ts';
import type { Job } from '../../packages/contract/src/domain/job.ts';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import type { Claim, JobOutcome, UnfinishedJob } from '../../packages/service/src/jobs/ports/job-store.ts';
import type { PublishIntent } from '../../packages/service/src/jobs/ports/media-store.ts';
import { newJobId } from '../../packages/service/src/jobs/submit/new-job-id.ts';
import { AT, claim, type Engine, inDatabase, mustClaim, REQUEST, submitMany, submitOne, type World } from './engine.ts';

const LATER = '2026-11-20T11:00:00.000Z';
const STAGED = { phase: 'STAGING', startedAt: AT } as const;
const CANCELLED: Failure = { code: 'CANCELLED', message: 'The job was cancelled.' };
const OUTPUTS = [{ path: 'out.mp4', sizeBytes: 7, durationSeconds: 1.5 }];
const COMPLETED: JobOutcome = { status: 'COMPLETED', outputs: OUTPUTS };

const intentOf = ({ job, fence }: Claim): PublishIntent => ({
  scratch: `${job.jobId}.${fence}`,
  outputs: OUTPUTS,
  engine: 'test',
  version: 1,
  data: { files: ['out.mp4'] },
});

const longIntent = (claimed: Claim, count: number): PublishIntent => {
  const folder = 'é'.repeat(500);
  const outputs = Array.from({ length: count }, (_, n) => ({ path: `${folder}/${n}.ts`, sizeBytes: n }));
  const files = outputs.map(({ path }, n) => ({ target: `/media/${path}`, path, partETags: [`${n}`] }));
  const warnings = [{ code: 'SEQUENCE_GAP', message: 'gap' }] as unknown as NonNullable<PublishIntent['warnings']>;
  return { ...intentOf(claimed), outputs, warnings, data: { replace: true, files } };
};

const end = ({ store }: World, ownClaim: Claim, outcome: JobOutcome = COMPLETED, log = ''): Promise<boolean> =>
  store.transactions.run((tx) => store.jobs.end(tx, ownClaim, outcome, LATER, log));
/** Runs a job that ends at `at`, with a log. */
const endAt = async (world: World, jobId: string, at: string): Promise<void> => {
  const ownClaim = await mustClaim(world, jobId, at);
  await world.store.transactions.run((tx) => world.store.jobs.end(tx, ownClaim, COMPLETED, at, 'log'));
};
const requeue = ({ store }: World, ownClaim: Claim, keepAttempt: boolean): Promise<boolean> =>
  store.transactions.run((tx) => store.jobs.requeue(tx, ownClaim, { keepAttempt }));
const cancelPending = async ({ store }: World, jobId: string): Promise<boolean> =>
  (await store.transactions.run((tx) => store.jobs.endPending(tx, [jobId], 'CANCELLED', CANCELLED, LATER))).length > 0;
const requestCancel = async ({ store }: World, jobId: string, at = LATER): Promise<boolean> =>
  (await store.transactions.run((tx) => store.jobs.requestCancel(tx, [jobId], at))).length > 0;
const remove = ({ store }: World, jobId: string): Promise<boolean> =>
  store.transactions.run((tx) => store.jobs.remove(tx, jobId));

export function jobsContract(engine: Engine): void {
  describe(`jobs on ${engine.name}`, () => {
    test('a new job is PENDING, with its request unchanged', async () => {
      const world = await engine.open();
      const [earlier, jobId] = [uuid(), uuid()];
      await world.store.transactions.run((tx) =>
        world.store.jobs.insert(tx, [
          {
            jobId,
            clientId: 'amy',
            request: JSON.stringify(REQUEST),
            retryOf: earlier,
            createdAt: AT,
            ...ORDINARY,
          },
        ]),
      );
      expect(await world.store.jobs.get(jobId)).toEqual({
        jobId,
        clientId: 'amy',
        status: 'PENDING',
        request: REQUEST,
        retryOf: earlier,
        attempt: 0,
        createdAt: AT,
      });
    });

    test('a finished job leads to the newest job that runs it again, in all ways to read it', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const [first = '', other = ''] = await submitMany(world, 'amy', 2);
      const runAgain = async (retryOf: string): Promise<string> => {
        const jobId = newJobId();
        const row = { clientId: 'amy', request: JSON.stringify(REQUEST), createdAt: AT, ...ORDINARY };
        await transactions.run((tx) => jobs.insert(tx, [{ ...row, jobId, retryOf, submittedBy: 'root' }]));
        return jobId;
      };
      const retriedAs = async (jobId: string) => {
        const listed = (await jobs.list({ clientId: 'amy', limit: 10 })).find((job) => job.jobId === jobId);
        const all = [await jobs.get(jobId), (await jobs.getMany([jobId]))[0], listed];
        expect(all.every((job) => job?.retriedAs === all[0]?.retriedAs)).toBe(true);
        return all[0]?.retriedAs;
      };
      await cancelPending(world, first);
      await cancelPending(world, other);
      expect(await jobs.get(first)).not.toHaveProperty('retriedAs');
      const again = await runAgain(first);
      expect(await retriedAs(first)).toBe(again);
      const newest = await runAgain(first);
      expect(await retriedAs(first)).toBe(newest);
      expect(await retriedAs(other)).toBeUndefined();
      expect(await retriedAs(again)).toBeUndefined();
      // A retry that was cancelled changed nothing.
      await cancelPending(world, newest);
      expect(await retriedAs(first)).toBe(again);
      await cancelPending(world, again);
      expect(await retriedAs(first)).toBeUndefined();
      const last = await runAgain(first);
      expect(await retriedAs(first)).toBe(last);
      await cancelPending(world, last);
      await remove(world, last);
      expect(await retriedAs(first)).toBeUndefined();
    });

    test('many jobs are read at once, without those that do not exist', async () => {
      const world = await engine.open();
      const ids = await submitMany(world, 'amy', 3);
      const { jobs } = world.store;
      const found = await jobs.getMany([...ids.slice(1), ...Array.from({ length: 600 }, () => uuid())]);
      const byId = (a: Job, b: Job): number => (a.jobId < b.jobId ? -1 : 1);
      expect(found.toSorted(byId)).toEqual([await jobs.get(ids[1] ?? ''), await jobs.get(ids[2] ?? '')]);
      expect(await jobs.getMany([])).toEqual([]);
    });

    test('a job shows the warnings of its request, and after its end those of its run', async () => {
      const world = await engine.open();
      const [plain, warned] = [uuid(), uuid()];
      const row = { clientId: 'amy', request: JSON.stringify(REQUEST), createdAt: AT, ...ORDINARY };
      const ofRequest = [{ field: '/parameters/to', code: 'NO_EFFECT', message: 'Both.' }];
      const ofRun = [{ code: 'DECODE_ERRORS', message: 'Three.' }];
      await world.store.transactions.run(async (tx) => {
        await world.store.jobs.insert(tx, [
          { ...row, jobId: plain },
          { ...row, jobId: warned, warnings: JSON.stringify(ofRequest) },
        ]);
        const tickets = [plain, warned].map((jobId, index) => ({
          jobId,
          clientId: 'amy',
          priority: -index,
          ...ORDINARY,
        }));
        await world.queue.enqueue(tx, tickets);
      });
      expect(await world.store.jobs.get(plain)).not.toHaveProperty('warnings');
      expect(await world.store.jobs.get(warned)).toHaveProperty('warnings', ofRequest);
      await end(world, await mustClaim(world, plain), { ...COMPLETED, warnings: ofRun });
      await end(world, await mustClaim(world, warned), { ...COMPLETED, warnings: ofRun });
      expect(await world.store.jobs.get(plain)).toHaveProperty('warnings', ofRun);
      expect(await world.store.jobs.get(warned)).toHaveProperty('warnings', [...ofRequest, ...ofRun]);
    });

    test('a claim has the trace of the request, and a job without one has none', async () => {
      const world = await engine.open();
      const [plain, traced] = [uuid(), uuid()];
      const row = { clientId: 'amy', request: JSON.stringify(REQUEST), createdAt: AT, ...ORDINARY };
      const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      await world.store.transactions.run(async (tx) => {
        await world.store.jobs.insert(tx, [
          { ...row, jobId: plain },
          { ...row, jobId: traced, traceParent },
        ]);
        const ids = { clientId: 'amy', ...ORDINARY };
        await world.queue.enqueue(tx, [
          { ...ids, jobId: plain, priority: 0 },
          { ...ids, jobId: traced, priority: 0 },
        ]);
      });
      expect((await mustClaim(world, plain)).job).not.toHaveProperty('traceParent');
      expect((await mustClaim(world, traced)).job).toHaveProperty('traceParent', traceParent);
    });

    test('a job that was not stored does not exist', async () => {
      const world = await engine.open();
      expect(await world.store.jobs.get(uuid())).toBeUndefined();
      expect(await claim(world, uuid())).toBeUndefined();
    });

    test('a job shows each step from claim to end', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const ownClaim = await mustClaim(world, jobId);
      expect(ownClaim).toMatchObject({
        fence: 1,
        exhausted: false,
        job: { status: 'PROCESSING', phase: 'STAGING', phases: [STAGED], attempt: 1, startedAt: AT },
      });
      expect(ownClaim).not.toHaveProperty('intent');
      expect(await world.store.jobs.get(jobId)).toEqual(ownClaim.job);

      const progress = { percent: 40, speed: 2, fps: 50, etaSeconds: 3 };
      const phases = [STAGED, { phase: 'CONVERTING', startedAt: LATER }] as const;
      expect(await world.store.jobs.progress(ownClaim, { phase: 'CONVERTING', phases, progress, log: 'one' })).toEqual({
        cancelRequested: false,
      });
      expect(await world.store.jobs.get(jobId)).toMatchObject({ phase: 'CONVERTING', phases, progress });
      expect(await world.store.jobs.log(jobId)).toBe('one');

      expect(await world.store.jobs.recordIntent(ownClaim, intentOf(ownClaim))).toBe(true);
      expect(await world.store.jobs.get(jobId)).toMatchObject({ phase: 'PUBLISHING', phases });

      const allPhases = [...phases, { phase: 'PUBLISHING', startedAt: LATER }] as const;
      expect(await end(world, ownClaim, { ...COMPLETED, phases: allPhases }, 'one\ntwo')).toBe(true);
      const ended = await world.store.jobs.get(jobId);
      expect(ended).toMatchObject({ status: 'COMPLETED', outputs: OUTPUTS, completedAt: LATER, startedAt: AT });
      expect(ended?.progress?.percent).toBe(100);
      expect(ended).not.toHaveProperty('phase');
      expect(ended?.phases).toEqual(allPhases);
      expect(await world.store.jobs.log(jobId)).toBe('one\ntwo');
    });

    test('an analysis that is complete has its results, and no output', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const measurements = { crop: null, silence: { count: 1, totalSeconds: 2, intervals: [{ start: 3, end: 5 }] } };
      await end(world, await mustClaim(world, jobId), { status: 'COMPLETED', outputs: [], measurements });
      expect(await world.store.jobs.get(jobId)).toMatchObject({ status: 'COMPLETED', outputs: [], measurements });
    });

    test('a job that ran another request than it had shows what ran, also if it failed', async () => {
      const world = await engine.open();
      const ran = { ...REQUEST, parameters: { 'b:v': '800k' }, sent: { input: 'a.mp4' } };
      for (const outcome of [
        COMPLETED,
        { status: 'FAILED', error: { code: 'TIMEOUT', message: 'Too long.' } },
      ] as const) {
        const jobId = await submitOne(world);
        const own = await mustClaim(world, jobId);
        expect(own.job.request).toEqual(REQUEST);
        await end(world, own, { ...outcome, request: ran });
        expect(await world.store.jobs.get(jobId)).toMatchObject({ status: outcome.status, request: ran });
      }
    });

    test('a finished job never changes', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const ownClaim = await mustClaim(world, jobId);
      await end(world, ownClaim, {
        status: 'FAILED',
        error: { code: 'TIMEOUT', message: 'Too long.', fix: 'Cut it.' },
      });
      const before = await world.store.jobs.get(jobId);
      expect(await claim(world, jobId)).toBeUndefined();
      expect(await end(world, ownClaim)).toBe(false);
      expect(await requeue(world, ownClaim, true)).toBe(false);
      expect(await world.store.jobs.progress(ownClaim, { phase: 'CONVERTING', log: 'late' })).toBeUndefined();
      expect(await world.store.jobs.recordIntent(ownClaim, intentOf(ownClaim))).toBe(false);
      expect(await cancelPending(world, jobId)).toBe(false);
      expect(await requestCancel(world, jobId)).toBe(false);
      expect(await world.store.jobs.get(jobId)).toEqual(before);
      expect(await world.store.jobs.log(jobId)).toBeUndefined();
    });

    test('a worker cannot change a job that another worker has claimed', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const lost = await mustClaim(world, jobId);
      const holder = await mustClaim(world, jobId, LATER);
      expect(holder.fence).toBeGreaterThan(lost.fence);
      expect(await world.store.jobs.progress(lost, { phase: 'PUBLISHING', log: 'late' })).toBeUndefined();
      expect(await world.store.jobs.recordIntent(lost, intentOf(lost))).toBe(false);
      expect(await requeue(world, lost, true)).toBe(false);
      expect(await end(world, lost)).toBe(false);
      expect(await world.store.jobs.get(jobId)).toEqual(holder.job);
      expect(await world.store.jobs.statusOf(lost)).toBeUndefined();
      expect(await world.store.jobs.statusOf(holder)).toBe('PROCESSING');
      expect(await end(world, holder)).toBe(true);
      expect(await world.store.jobs.statusOf(holder)).toBe('COMPLETED');
    });

    test('a claim from before a drain stays lost, although the next attempt has the same number', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const first = await mustClaim(world, jobId);
      expect(await requeue(world, first, false)).toBe(true);
      const second = await mustClaim(world, jobId);
      expect(second.job.attempt).toBe(first.job.attempt);
      expect(await end(world, first)).toBe(false);
      expect(await end(world, second)).toBe(true);
    });

    test('concurrent claims get different fences, and only the last one counts', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const racers = await Promise.all([mustClaim(world, jobId), mustClaim(world, jobId), mustClaim(world, jobId)]);
      const byFence = racers.toSorted((a, b) => a.fence - b.fence);
      expect(new Set(byFence.map((racer) => racer.fence)).size).toBe(3);
      expect(await Promise.all(byFence.map((racer) => end(world, racer)))).toEqual([false, false, true]);
    });

    test('a crashed worker costs an attempt; without attempts left, a claim is exhausted', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++)
        expect(await claim(world, jobId)).toMatchObject({ exhausted: false, job: { attempt } });
      expect(await claim(world, jobId)).toMatchObject({ exhausted: true, job: { attempt: MAX_ATTEMPTS } });
    });

    test('the next claim carries the intent of a crashed worker, whose scratch folder is live', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const lost = await mustClaim(world, jobId);
      await world.store.jobs.recordIntent(lost, intentOf(lost));
      const holder = await mustClaim(world, jobId);
      expect(holder.intent).toEqual(intentOf(lost));
      expect([...(await world.store.jobs.liveScratch(false))].sort()).toEqual([`${jobId}.1`, `${jobId}.2`]);
      expect(await world.store.jobs.liveScratch(true)).toEqual([`${jobId}.1`]);
      await end(world, holder);
      expect(await world.store.jobs.liveScratch(false)).toEqual([]);
    });

    test('queued jobs that not every worker can run are found by what they need, and can fail', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const needs = ['encoder:libx', 'filter:y'];
      const [one, two, other] = [uuid(), uuid(), uuid()];
      const row = {
        clientId: 'amy',
        request: JSON.stringify(REQUEST),
        createdAt: AT,
        lane: 'full',
        weight: 100,
      } as const;
      await transactions.run((tx) =>
        jobs.insert(tx, [
          { ...row, jobId: one, needs },
          { ...row, jobId: two, needs },
          { ...row, jobId: other, needs: [] },
        ]),
      );
      expect(await jobs.pendingNeeds()).toEqual([needs]);
      expect((await jobs.get(one))?.needs).toEqual(needs);
      expect(await jobs.get(other)).not.toHaveProperty('needs');
      expect(await jobs.pendingWith(needs, AT, 10)).toEqual([]);
      expect(await jobs.pendingWith(['encoder:libx'], LATER, 10)).toEqual([]);
      expect(new Set(await jobs.pendingWith(needs, LATER, 10))).toEqual(
        new Set([one, two].map((jobId) => ({ jobId, clientId: 'amy' }))),
      );
      expect(await jobs.pendingWith(needs, LATER, 1)).toHaveLength(1);
      await mustClaim(world, two);
      const error = { code: 'NO_WORKER', message: 'No worker has it.' } as const;
      const failed = await transactions.run((tx) => jobs.endPending(tx, [one, two], 'FAILED', error, LATER));
      expect(failed).toMatchObject([{ jobId: one, clientId: 'amy', needs }]);
      expect(await jobs.get(one)).toMatchObject({ status: 'FAILED', error, completedAt: LATER });
      expect(await jobs.pendingNeeds()).toEqual([]);
    });

    test('the unfinished jobs of a client are read in short turns, each once, however long their requests are', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const insert = async (clientId: string, input: string): Promise<string> => {
        const jobId = uuid();
        const request = JSON.stringify({ ...REQUEST, input });
        const row = { clientId, request, createdAt: AT, needs: [] };
        await transactions.run((tx) => jobs.insert(tx, [{ ...row, jobId, lane: 'full', weight: 100 }]));
        return jobId;
      };
      const read = async () => {
        const turns: UnfinishedJob[][] = [[]];
        const nextTurn = (): void => {
          if (turns.at(-1)?.length !== 0) turns.push([]);
          timer = setImmediate(nextTurn);
        };
        let timer = setImmediate(nextTurn);
        for await (const job of jobs.unfinished('amy')) turns.at(-1)?.push(job);
        clearImmediate(timer);
        return turns;
      };
      const inputs = [
        ...Array(120).fill('in/a.mov'),
        ...['é', 'x', '🎬'].map((sign) => sign.repeat(9000)),
        'in/"b"\\.mov',
      ];
      const ids: string[] = [];
      for (const input of inputs) ids.push(await insert('amy', input));
      await insert('bob', 'in/bobs.mov');
      const turns = await read();
      expect(turns.flat()).toEqual(
        inputs.map((input, i) => ({
          ...{ jobId: ids[i], status: 'PENDING' },
          request: JSON.stringify({ ...REQUEST, input }),
        })),
      );
      const isLong = ({ request }: UnfinishedJob): boolean => request.length > 9000;
      expect(Math.max(...turns.map(({ length }) => length))).toBeLessThanOrEqual(25);
      expect(Math.max(...turns.map((turn) => turn.filter(isLong).length))).toBe(1);
      const [wanted = ''] = ids;
      const claim = await mustClaim(world, wanted);
      expect((await read()).flat()[0]).toMatchObject({ jobId: wanted, status: 'PROCESSING' });
      await end(world, claim);
      expect((await read()).flat()).toHaveLength(inputs.length - 1);
    });

    test('the row of a job does not grow with the files that it publishes, and the next claim carries all of them', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const own = await mustClaim(world, jobId);
      const intent = longIntent(own, 1000);
      expect(await world.store.jobs.recordIntent(own, intent)).toBe(true);
      const row = await inDatabase(world, (db) => db.selectFrom('jobs').select('intent').executeTakeFirstOrThrow());
      expect(row.intent?.length).toBeLessThan(1000);
      const readParts = () => inDatabase(world, (db) => db.selectFrom('job_intents').select('entries').execute());
      const parts = await readParts();
      // The folder of 500 characters is stored once in each part, and not with each of 1,000 files.
      expect(parts.reduce((sum, { entries }) => sum + entries.length, 0)).toBeLessThan(200_000);
      expect(await world.store.jobs.liveScratch(true)).toEqual([intent.scratch]);
      const next = await mustClaim(world, jobId);
      expect(next.intent).toEqual(intent);
      // Files that are given up are removed: the list of them stays until then.
      const abandoned = { ...intent, abandoned: true } as const;
      await world.store.jobs.recordIntent(next, abandoned);
      const last = await mustClaim(world, jobId);
      expect(last.intent).toEqual(abandoned);
      await end(world, last);
      expect(await readParts()).toEqual([]);
    });

    test('a claim reads an intent that a service of the previous version has stored whole', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const intent = longIntent(await mustClaim(world, jobId), 100);
      await inDatabase(world, (db) =>
        db
          .updateTable('jobs')
          .set({ intent: JSON.stringify(intent) })
          .execute(),
      );
      expect((await mustClaim(world, jobId)).intent).toEqual(intent);
    });

    test('a requeued job has no intent, even after it is cancelled', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const first = await mustClaim(world, jobId);
      await world.store.jobs.recordIntent(first, intentOf(first));
      await requeue(world, first, true);
      expect(await world.store.jobs.liveScratch(false)).toEqual([]);
      const second = await mustClaim(world, jobId);
      expect(second).not.toHaveProperty('intent');
      await world.store.jobs.recordIntent(second, intentOf(second));
      await requeue(world, second, true);
      expect(await cancelPending(world, jobId)).toBe(true);
      expect(await world.store.jobs.liveScratch(false)).toEqual([]);
    });

    test('a requeued job has no phase and no progress, and its attempt counts only if keepAttempt is true', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      const first = await mustClaim(world, jobId);
      await world.store.jobs.progress(first, { phase: 'CONVERTING', progress: { percent: 90 } });
      await requeue(world, first, true);
      const waiting = await world.store.jobs.get(jobId);
      expect(waiting).toMatchObject({ status: 'PENDING', attempt: 1 });
      for (const name of ['phase', 'phases', 'progress']) expect(waiting).not.toHaveProperty(name);
      await requeue(world, await mustClaim(world, jobId, LATER), false);
      expect(await world.store.jobs.get(jobId)).toMatchObject({ status: 'PENDING', attempt: 1, startedAt: AT });
    });

    test('a running job can get other needs, unless its claim is lost', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const jobId = await submitOne(world);
      const lost = await mustClaim(world, jobId);
      const last = await mustClaim(world, jobId, LATER);
      const needs = ['encoder:libx'];
      expect(await transactions.run((tx) => jobs.setNeeds(tx, lost, ['filter:y']))).toBe(false);
      expect(await transactions.run((tx) => jobs.setNeeds(tx, last, needs))).toBe(true);
      expect((await jobs.get(jobId))?.needs).toEqual(needs);
      expect(await jobs.ticketOf(jobId)).toMatchObject({ needs });
    });

    test('a requeued job shows its error until the next attempt starts', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const jobId = await submitOne(world);
      const error = { code: 'NO_SPACE', message: 'The disk was full.' } as const;
      const first = await mustClaim(world, jobId);
      await transactions.run((tx) => jobs.requeue(tx, first, { keepAttempt: true, reason: error }));
      expect(await jobs.get(jobId)).toMatchObject({ status: 'PENDING', error });
      const second = await mustClaim(world, jobId, LATER);
      expect(second.job).not.toHaveProperty('error');
      expect(await jobs.get(jobId)).not.toHaveProperty('error');
      await end(world, second, COMPLETED);
      expect(await jobs.get(jobId)).not.toHaveProperty('error');
    });

    test('a requeued job knows since when its storage is down', async () => {
      const world = await engine.open();
      const { jobs, transactions } = world.store;
      const jobId = await submitOne(world);
      const first = await mustClaim(world, jobId);
      expect(first).not.toHaveProperty('storageDownSince');
      await transactions.run((tx) => jobs.requeue(tx, first, { keepAttempt: false, storageDownSince: AT }));
      const second = await mustClaim(world, jobId, LATER);
      expect(second).toMatchObject({ storageDownSince: AT, job: { attempt: 1 } });
      await requeue(world, second, true);
      const third = await mustClaim(world, jobId, LATER);
      expect(third, 'later attempts too').toMatchObject({ storageDownSince: AT });
      const phases = [{ phase: 'CONVERTING', startedAt: LATER }] as const;
      await jobs.progress(third, { phase: 'CONVERTING', phases });
      await requeue(world, third, true);
      const fourth = await mustClaim(world, jobId, LATER);
      expect(fourth, 'until one has staged its inputs').not.toHaveProperty('storageDownSince');
    });

    test('an attempt that does not count leaves the job with its worker, and its intent for the next one', async () => {
      const world = await engine.open();
      const { jobs } = world.store;
      const jobId = await submitOne(world);
      await mustClaim(world, jobId);
      const second = await mustClaim(world, jobId);
      await jobs.recordIntent(second, intentOf(second));
      expect(await jobs.uncountAttempt(second, AT)).toBe(true);
      expect(await jobs.uncountAttempt(second, AT), 'the reply may be lost').toBe(true);
      expect(await jobs.statusOf(second)).toBe('PROCESSING');
      const third = await mustClaim(world, jobId, LATER);
      expect(third).toMatchObject({ storageDownSince: AT, job: { attempt: 2 }, intent: intentOf(second) });
      expect(await jobs.uncountAttempt(second, AT), 'another worker has the job').toBe(false);
      expect((await jobs.get(jobId))?.attempt).toBe(2);
    });

    test('cancels a queued job at once, and marks a running job for its worker', async () => {
      const world = await engine.open();
      const [waiting, running] = [await submitOne(world), await submitOne(world)];
      expect(await requestCancel(world, waiting)).toBe(false);
      expect(await cancelPending(world, waiting)).toBe(true);
      expect(await world.store.jobs.get(waiting)).toMatchObject({
        status: 'CANCELLED',
        error: CANCELLED,
        completedAt: LATER,
      });
      const ownClaim = await mustClaim(world, running);
      expect(await cancelPending(world, running)).toBe(false);
      expect(await requestCancel(world, running, AT)).toBe(true);
      expect(await requestCancel(world, running, LATER)).toBe(true);
      expect(await world.store.jobs.progress(ownClaim, { phase: 'CONVERTING' })).toEqual({ cancelRequested: true });
      expect((await world.store.jobs.get(running))?.cancelRequestedAt).toBe(AT);
    });

    test('a job keeps its cancel request when its worker crashes', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      await mustClaim(world, jobId);
      await requestCancel(world, jobId);
      expect((await claim(world, jobId))?.job.cancelRequestedAt).toBe(LATER);
    });

    test('deletes only finished jobs, with their logs', async () => {
      const world = await engine.open();
      const jobId = await submitOne(world);
      expect(await remove(world, jobId)).toBe(false);
      const ownClaim = await mustClaim(world, jobId);
      expect(await remove(world, jobId)).toBe(false);
      await end(world, ownClaim, COMPLETED, 'log');
      expect(await remove(world, jobId)).toBe(true);
      expect(await remove(world, jobId)).toBe(false);
      expect(await world.store.jobs.get(jobId)).toBeUndefined();
      expect(await world.store.jobs.log(jobId)).toBeUndefined();
    });

    test('deletes the jobs that ended before a time, with their logs, and no others', async () => {
      const world = await engine.open();
      const { store } = world;
      const [old, cancelled, recent, running, queued] = await submitMany(world, 'amy', 5);
      const [before, limit, after] = [
        '2026-01-01T00:00:00.000Z',
        '2026-01-02T00:00:00.000Z',
        '2026-01-03T00:00:00.000Z',
      ];
      await endAt(world, old ?? '', before);
      await store.transactions.run((tx) =>
        store.jobs.endPending(tx, [cancelled ?? ''], 'CANCELLED', { code: 'CANCELLED', message: '' }, before),
      );
      await endAt(world, recent ?? '', after);
      await mustClaim(world, running ?? '', before);
      expect(await store.jobs.removeFinishedBefore(limit)).toBe(2);
      expect((await store.jobs.list({ limit: 9 })).map(({ jobId }) => jobId)).toEqual([queued, running, recent]);
      expect(await store.jobs.log(old ?? '')).toBeUndefined();
      expect(await store.jobs.log(recent ?? '')).toBe('log');
      expect(await store.jobs.removeFinishedBefore(limit)).toBe(0);
    });

    test('deletes any number of old jobs, in transactions that let others in between', async () => {
      const world = await engine.open();
      const { store } = world;
      const ids = await submitMany(world, 'amy', 250);
      for (const jobId of ids) await endAt(world, jobId, '2026-01-01T00:00:00.000Z');
      const removing = store.jobs.removeFinishedBefore(AT);
      await store.transactions.run(async () => {});
      const { length: remaining } = await store.jobs.list({ limit: 500 });
      if (!engine.isConcurrent) expect(remaining).toBeGreaterThan(0);
      expect(await removing).toBe(250);
      expect(await store.jobs.list({ limit: 9 })).toEqual([]);
    });

    listing(engine);
  });
}

function listing(engine: Engine): void {
  test('lists jobs newest first, by client and status, page by page', async () => {
    const world = await engine.open();
    const all: string[] = [];
    for (const client of ['amy', 'bob', 'amy', 'bob', 'amy']) all.push(await submitOne(world, client));
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = all;
    await end(world, await mustClaim(world, first));
    await end(world, await mustClaim(world, second));
    await mustClaim(world, third);
    const ids = async (query: Omit<Parameters<typeof world.store.jobs.list>[0], 'limit'>, limit = 9) =>
      (await world.store.jobs.list({ ...query, limit })).map((job) => job.jobId);
    const sizes = await world.store.jobs.sizes({ limit: 9 });
    expect(sizes.map(({ jobId }) => jobId)).toEqual(await ids({}));
    for (const { jobId, bytes } of await world.store.jobs.sizes({ clientId: 'amy', limit: 2 })) {
      const { request, outputs } = (await world.store.jobs.get(jobId)) ?? {};
      const stored = [request, outputs].map((one) => (one === undefined ? 0 : JSON.stringify(one).length));
      expect(bytes).toBe((stored[0] ?? 0) + (stored[1] ?? 0));
    }

    expect(await ids({})).toEqual([fifth, fourth, third, second, first]);
    expect(await ids({ clientId: 'amy' })).toEqual([fifth, third, first]);
    expect(await ids({ status: 'COMPLETED' })).toEqual([second, first]);
    expect(await ids({ clientId: 'amy', status: 'COMPLETED' })).toEqual([first]);
    expect(await ids({ clientId: 'amy', status: 'FAILED' })).toEqual([]);
    expect(await ids({ clientId: 'nobody' })).toEqual([]);

    expect(await ids({}, 2)).toEqual([fifth, fourth]);
    expect(await ids({ before: fourth }, 2)).toEqual([third, second]);
    expect(await ids({ clientId: 'amy' }, 2)).toEqual([fifth, third]);
    expect(await ids({ clientId: 'amy', before: third }, 2)).toEqual([first]);
    expect(await ids({ status: 'COMPLETED', before: second })).toEqual([first]);
    expect(await ids({ before: first })).toEqual([]);
  });

  test('lists the jobs of all clients with a status newest first, page by page', async () => {
    const world = await engine.open();
    const all: string[] = [];
    for (const client of ['amy', 'amy', 'bob', 'cleo', 'dan', 'eve', 'amy', 'amy', 'amy', 'bob'])
      all.unshift(await submitOne(world, client));
    await end(world, await mustClaim(world, await submitOne(world, 'eve')));
    const pages = async (limit: number) => {
      const found: string[][] = [];
      for (let before: string | undefined; ; before = found.at(-1)?.at(-1)) {
        const page = await world.store.jobs.list({ status: 'PENDING', limit, ...(before && { before }) });
        if (page.length === 0) return found;
        found.push(page.map((job) => job.jobId));
      }
    };
    for (const limit of [1, 2, 3, 20]) {
      const found = await pages(limit);
      expect(found.flat()).toEqual(all);
      expect(found.slice(0, -1).every((page) => page.length === limit)).toBe(true);
    }
  });

  test('counts queued jobs of one client and of all, up to a limit', async () => {
    const world = await engine.open();
    await submitMany(world, 'amy', 3);
    await submitMany(world, 'bob', 2);
    await mustClaim(world, await submitOne(world, 'bob'));
    expect(await world.store.jobs.countPending('amy', 100)).toBe(3);
    expect(await world.store.jobs.countPending('bob', 100)).toBe(2);
    expect(await world.store.jobs.countPending('nobody', 100)).toBe(0);
    expect(await world.store.jobs.countPending(undefined, 100)).toBe(5);
    expect(await world.store.jobs.countPending(undefined, 4)).toBe(4);
    expect(await world.store.jobs.queueDepths()).toMatchObject([{ lane: 'full', jobs: 5 }]);
  });
}
