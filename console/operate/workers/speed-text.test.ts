import { expect, test } from 'vitest';
import { bySlowness, isSlow, sharedMachineText, speedText, workersText } from './speed-text.ts';

test('the speed of a worker is compared with the estimates', () => {
  expect(speedText({ ratio: 1.23, jobs: 35 })).toEqual({
    value: '1.2× slower',
    detail: 'than estimated, from 35 jobs',
  });
  expect(speedText({ ratio: 0.5, jobs: 3 })).toEqual({ value: '2× faster', detail: 'than estimated, from 3 jobs' });
  expect(speedText({ ratio: 1.02, jobs: 1 })).toEqual({ value: 'As estimated', detail: 'from one job' });
});

test('the slowest kind of job comes first, and from twice the estimate on it is slow', () => {
  expect([{ ratio: 1 }, { ratio: 5 }].toSorted(bySlowness)[0]).toEqual({ ratio: 5 });
  expect([1.9, 2].map((ratio) => isSlow({ ratio }))).toEqual([false, true]);
});

test('a worker names the others on its machine, if it knows its machine', () => {
  const live = [{ machine: 'a' }, { machine: 'a' }, { machine: 'a' }, { machine: 'b' }, {}, {}];
  expect(live.map((worker) => sharedMachineText(worker, live))).toEqual([
    ...Array.from({ length: 3 }, () => 'On one machine with 2 other workers'),
    ...[undefined, undefined, undefined],
  ]);
});

test('the slots of all workers are summed up', () => {
  const job = { jobId: 'j', client: 'shop', phase: 'CONVERTING' } as const;
  expect(workersText([{ jobs: [job], concurrency: 2 }])).toBe('1 worker, 1 of 2 slots in use');
  expect(
    workersText([
      { jobs: [job], concurrency: 2 },
      { jobs: [], concurrency: 2 },
    ]),
  ).toBe('2 workers, 1 of 4 slots in use');
});
