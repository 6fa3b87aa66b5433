import type { Job } from '@telecine/contract/domain/job.ts';
import { expect, test } from 'vitest';
import { jobLine } from './jobs-result.ts';
import { shownWarnings } from './shown-warnings.ts';

const jobWith = (pictures: number): Job =>
  ({
    jobId: 'j',
    status: 'COMPLETED',
    request: { input: 'film.mp4', output: '%d.jpg' },
    outputs: Array.from({ length: pictures }, (_, at) => ({ path: `${at}.jpg`, sizeBytes: 10 })),
    createdAt: '2026-11-20T10:00:00.000Z',
  }) as unknown as Job;
const lineOf = (pictures: number) => jobLine(jobWith(pictures), () => true, shownWarnings()).line;

test('a line that has not all outputs of a job says how many there are', () => {
  expect(lineOf(6)).toMatchObject({ outputs: { length: 5 }, outputCount: 6 });
  expect(lineOf(5)).toMatchObject({ outputs: { length: 5 }, outputCount: undefined });
});

test('a line of an analysis says what was measured, without its lists', () => {
  const interval = { start: 1, end: 2, duration: 1 };
  const measurements = {
    loudness: { integratedLufs: -17.2, rangeLu: 3, truePeakDbtp: null },
    silence: { count: 2, totalSeconds: 2, intervals: [interval, interval] },
    crop: null,
  };
  const analysed = (more: object) =>
    jobLine(
      { ...jobWith(0), measurements: { ...measurements, ...more } } as unknown as Job,
      () => true,
      shownWarnings(),
    ).line.measurements;
  expect(analysed({})).toBe(
    'loudness: integratedLufs -17.2, rangeLu 3, truePeakDbtp null; silence: count 2, totalSeconds 2; crop: none',
  );
  expect(analysed({ errors: { message: 'x'.repeat(1000) } })).toHaveLength(301);
  expect(lineOf(1).measurements).toBeUndefined();
});
