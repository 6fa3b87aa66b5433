import { expect, test } from 'vitest';
import { queueRows } from './queue-rows.ts';

const lane = (jobs: number, oldestSeconds: number) => ({ lane: 'full' as const, jobs, oldestSeconds });

test('several clients have a row for all of them before their own', () => {
  const clients = [
    { client: 'amy', queued: [lane(2, 9)], running: 1 },
    { client: 'bob', queued: [], running: 3 },
  ];
  expect(queueRows({ queued: [lane(2, 9)], clients })).toEqual([
    { key: 'all', name: 'All clients', queued: 2, waiting: { full: 2 }, oldestSeconds: 9, running: 4 },
    { key: 'client amy', name: 'amy', client: 'amy', queued: 2, waiting: { full: 2 }, oldestSeconds: 9, running: 1 },
    { key: 'client bob', name: 'bob', client: 'bob', queued: 0, waiting: {}, running: 3 },
  ]);
});

test('an empty queue has no rows', () => {
  expect(queueRows({ queued: [], clients: [] })).toEqual([]);
});
