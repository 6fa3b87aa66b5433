import { expect, test } from 'vitest';
import { sharedMachineText, workersText } from './workers-text.ts';

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
