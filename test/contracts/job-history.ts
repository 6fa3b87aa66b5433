import { describe, expect, test } from 'vitest';
import type { HistoryCount } from '../../packages/service/src/jobs/ports/job-records.ts';
import { type Engine, submitMany } from './engine.ts';

const EARLY = '2026-11-20T10:00:00.000Z';
const LATE = '2026-11-20T10:01:00.000Z';

const count = (change: Partial<HistoryCount> = {}): HistoryCount => ({
  ...{ at: EARLY, event: 'COMPLETED', jobs: 1, waitedMs: 0 },
  ...change,
});

/** The history of jobs. */
export function jobHistoryContract(engine: Engine): void {
  describe(`the history of jobs on ${engine.name}`, () => {
    test('several services add to the same counts, also at the same time', async () => {
      const { jobHistory } = await engine.openStore();
      const started = count({ event: 'STARTED', jobs: 2, waitedMs: 500 });
      const counts = [{ stepSeconds: 60, counts: [count(), started] }];
      await Promise.all(Array.from({ length: 5 }, () => jobHistory.add(counts)));
      const read = await jobHistory.read(60, EARLY);
      expect(read.find(({ event }) => event === 'COMPLETED')).toEqual(count({ jobs: 5 }));
      expect(read.find(({ event }) => event === 'STARTED')).toEqual({ ...started, jobs: 10, waitedMs: 2500 });
    });

    test('steps of each length, and failures of each code, are counted apart', async () => {
      const { jobHistory } = await engine.openStore();
      const failures = (['TIMEOUT', 'NO_SPACE'] as const).map((code) => count({ event: 'FAILED', code }));
      await jobHistory.add([
        { stepSeconds: 60, counts: [count(), ...failures] },
        { stepSeconds: 300, counts: [count({ jobs: 7 })] },
      ]);
      expect(await jobHistory.read(300, EARLY)).toEqual([count({ jobs: 7 })]);
      expect(await jobHistory.read(60, EARLY)).toEqual(expect.arrayContaining(failures));
    });

    test('the failed jobs are listed with their clients, those that were submitted last first', async () => {
      const world = await engine.open();
      const { jobHistory, jobs, transactions } = world.store;
      const ids = [...(await submitMany(world, 'amy', 2)), ...(await submitMany(world, 'bob', 2))];
      const [first, cancelled, last] = ids;
      const error = { code: 'TIMEOUT', message: 'It took too long.' } as const;
      for (const [jobId, status] of [
        [first, 'FAILED'],
        [cancelled, 'CANCELLED'],
        [last, 'FAILED'],
      ] as const)
        await transactions.run((tx) => jobs.endPending(tx, [jobId ?? ''], status, error, LATE));
      const failed = { code: 'TIMEOUT', failedAt: LATE };
      expect(await jobHistory.lastFailed(9)).toEqual([
        { ...failed, jobId: last, clientId: 'bob' },
        { ...failed, jobId: first, clientId: 'amy' },
      ]);
      expect(await jobHistory.lastFailed(1)).toMatchObject([{ jobId: last }]);
    });

    test('reads what began at a time or later, and forgets what began before', async () => {
      const { jobHistory } = await engine.openStore();
      await jobHistory.add([{ stepSeconds: 60, counts: [count(), count({ at: LATE, jobs: 2 })] }]);
      expect(await jobHistory.read(60, LATE)).toEqual([count({ at: LATE, jobs: 2 })]);
      await jobHistory.forgetBefore(60, LATE);
      expect(await jobHistory.read(60, EARLY)).toEqual([count({ at: LATE, jobs: 2 })]);
    });
  });
}
