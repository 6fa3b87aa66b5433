import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import { expect, test } from 'vitest';
import { firstStep, historyRecorder, recordChange, toHistory } from './job-history.ts';
import type { HistoryCounts } from './ports/job-records.ts';

const NOW = new Date('2026-11-20T10:17:42.123Z');
const JOB = { jobId: 'j', clientId: 'amy' };

/** Creates a recorder. `stored`: the counts that it has stored. `fails`: how many times storing fails at first. */
function recorderOf(fails = 0) {
  const stored: HistoryCounts[] = [];
  let left = fails;
  const add = async (counts: readonly HistoryCounts[]): Promise<void> => {
    if (left-- > 0) throw new Error('The database is away.');
    stored.push(...counts);
  };
  return { recorder: historyRecorder({ history: { add }, now: () => NOW }), stored };
}

const minutesOf = (stored: readonly HistoryCounts[]) =>
  stored.filter(({ stepSeconds }) => stepSeconds === 60).flatMap(({ counts }) => counts);

test('jobs are counted by what happened to them, in steps of every length', async () => {
  const { recorder, stored } = recorderOf();
  recordChange(recorder, { ...JOB, kind: 'created' });
  recorder.count({ event: 'STARTED', waitedMs: 1500 });
  recorder.count({ event: 'STARTED', waitedMs: 500.4 });
  recordChange(recorder, { ...JOB, kind: 'ended', status: 'FAILED', code: 'TIMEOUT' });
  recordChange(recorder, { ...JOB, kind: 'requeued' });
  await recorder.flush();
  const at = '2026-11-20T10:17:00.000Z';
  expect(minutesOf(stored)).toEqual([
    { at, event: 'ACCEPTED', jobs: 1, waitedMs: 0 },
    { at, event: 'FAILED', code: 'TIMEOUT', jobs: 1, waitedMs: 0 },
    { at, event: 'STARTED', jobs: 2, waitedMs: 2000 },
  ]);
  const beginnings = stored.map(({ stepSeconds, counts }) => [stepSeconds, counts[0]?.at.slice(11, 19)]);
  expect(beginnings).toEqual([
    [60, '10:17:00'],
    [300, '10:15:00'],
    [3600, '10:00:00'],
    [14_400, '08:00:00'],
  ]);
});

test('nothing is stored twice, and nothing if nothing happened', async () => {
  const { recorder, stored } = recorderOf();
  recorder.count({ event: 'ACCEPTED' });
  await recorder.flush();
  const { length } = stored;
  await recorder.flush();
  expect(stored).toHaveLength(length);
});

test('what could not be stored is stored later', async () => {
  const { recorder, stored } = recorderOf(1);
  recorder.count({ event: 'ACCEPTED' });
  await expect(recorder.flush()).rejects.toThrow('away');
  recorder.count({ event: 'ACCEPTED' });
  await recorder.flush();
  expect(minutesOf(stored)).toMatchObject([{ event: 'ACCEPTED', jobs: 2 }]);
});

test('a history has a point for each step until now, and the reasons of failures by frequency', () => {
  const from = firstStep('hour', NOW.getTime());
  expect(from).toBe('2026-11-20T09:18:00.000Z');
  const at = '2026-11-20T10:17:00.000Z';
  const history = toHistory('hour', from, [
    { at, event: 'STARTED', jobs: 4, waitedMs: 6000 },
    { at: from, event: 'FAILED', code: 'TIMEOUT', jobs: 1, waitedMs: 0 },
    { at, event: 'FAILED', code: 'NO_SPACE', jobs: 2, waitedMs: 0 },
    { at, event: 'FAILED', code: 'TIMEOUT', jobs: 3, waitedMs: 0 },
  ]);
  const noClients = { clients: [] };
  expect(history.points).toHaveLength(60);
  expect(history.points[0]).toEqual({ at: from, accepted: 0, started: 0, completed: 0, failed: 1, cancelled: 0 });
  expect(history.points.at(-1)).toMatchObject({ at, started: 4, failed: 5, waitedSeconds: 1.5 });
  expect(history.failures).toEqual([
    { code: 'TIMEOUT', jobs: 4, ...noClients },
    { code: 'NO_SPACE', jobs: 2, ...noClients },
  ]);
});

test('a history says which clients have failing jobs, since when, and which failed last', () => {
  const from = firstStep('hour', NOW.getTime());
  const failed = (jobId: string, clientId: string, minute: number, code: FailureCode = 'TIMEOUT') => ({
    ...{ jobId, clientId, code },
    failedAt: `2026-11-20T10:${minute}:00.000Z`,
  });
  const jobs = [
    failed('3', 'bob', 16),
    failed('2', 'amy', 12),
    failed('4', 'bob', 11),
    failed('1', 'bob', 14),
    failed('5', 'bob', 10, 'NO_SPACE'),
    { ...failed('0', 'bob', 14), failedAt: '2026-11-20T09:00:00.000Z' },
  ];
  const at = '2026-11-20T10:15:00.000Z';
  const counts = [{ at, event: 'FAILED', code: 'TIMEOUT', jobs: 9, waitedMs: 0 }] as const;
  expect(toHistory('hour', from, counts, jobs).failures).toEqual([
    {
      ...{ code: 'TIMEOUT', jobs: 9 },
      clients: [
        {
          ...{ client: 'bob', jobs: 3, lastJobId: '3' },
          ...{ firstAt: '2026-11-20T10:11:00.000Z', lastAt: '2026-11-20T10:16:00.000Z' },
        },
        {
          ...{ client: 'amy', jobs: 1, lastJobId: '2' },
          ...{ firstAt: '2026-11-20T10:12:00.000Z', lastAt: '2026-11-20T10:12:00.000Z' },
        },
      ],
    },
  ]);
});
