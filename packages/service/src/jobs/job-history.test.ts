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
  expect(history.points).toHaveLength(60);
  expect(history.points[0]).toEqual({ at: from, accepted: 0, started: 0, completed: 0, failed: 1, cancelled: 0 });
  expect(history.points.at(-1)).toMatchObject({ at, started: 4, failed: 5, waitedSeconds: 1.5 });
  expect(history.failures).toEqual([
    { code: 'TIMEOUT', jobs: 4 },
    { code: 'NO_SPACE', jobs: 2 },
  ]);
});
