import { expect, test } from 'vitest';
import { isFinished, type JobEvent, type JobStatus, nextStatus } from './states.ts';

const STATUSES: readonly JobStatus[] = ['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'];
const EVENTS: readonly JobEvent[] = ['claim', 'requeue', 'complete', 'fail', 'cancel'];

test('only these status changes are allowed', () => {
  const changes = STATUSES.flatMap((from) => EVENTS.map((event) => [from, event, nextStatus(from, event)])).filter(
    ([, , to]) => to !== undefined,
  );
  expect(changes).toEqual([
    ['PENDING', 'claim', 'PROCESSING'],
    ['PENDING', 'fail', 'FAILED'],
    ['PENDING', 'cancel', 'CANCELLED'],
    ['PROCESSING', 'requeue', 'PENDING'],
    ['PROCESSING', 'complete', 'COMPLETED'],
    ['PROCESSING', 'fail', 'FAILED'],
    ['PROCESSING', 'cancel', 'CANCELLED'],
  ]);
});

test('no event changes a finished job', () => {
  for (const status of STATUSES.filter(isFinished))
    for (const event of EVENTS) expect(nextStatus(status, event)).toBeUndefined();
  expect(STATUSES.filter(isFinished)).toEqual(['COMPLETED', 'FAILED', 'CANCELLED']);
});
