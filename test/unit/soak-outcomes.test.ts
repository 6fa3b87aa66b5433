import { expect, test } from 'vitest';
import { faultsOfKills, withoutChunks, withoutCompletedJob } from '../faults/soak/outcomes.ts';
import { FAMILIES } from '../fuzz/mutant.ts';
import { faultsOfOutcomes } from '../fuzz/outcomes.ts';

test('a soak in which no job completed has an error', () => {
  expect(withoutCompletedJob({ endings: { CANCELLED: 3 } })).toEqual(['no job completed']);
  expect(withoutCompletedJob({ endings: { COMPLETED: 1 } })).toEqual([]);
});

test('a long soak in which no video was encoded in chunks has an error', () => {
  expect(withoutChunks(60, 0)).toEqual(['none of 60 jobs completed in chunks']);
  expect(withoutChunks(60, 1)).toEqual([]);
  expect(withoutChunks(59, 0)).toEqual([]);
});

test('a soak whose kills lost no worker, or most jobs, has an error', () => {
  expect(faultsOfKills(6, { endings: { COMPLETED: 9, WORKER_LOST: 1 }, takenOver: 1 })).toEqual([]);
  expect(faultsOfKills(6, { endings: { COMPLETED: 9 }, takenOver: 0 })).toEqual(['no worker was lost']);
  expect(faultsOfKills(6, { endings: { COMPLETED: 2, WORKER_LOST: 2 }, takenOver: 6 })).toEqual([
    '2 jobs failed with WORKER_LOST, and only 2 completed',
  ]);
  // One round may hit no running job.
  expect(faultsOfKills(1, { endings: {}, takenOver: 0 })).toEqual([]);
});

test('a long run of malformed files without a family, or without mixed results, has an error', () => {
  const states = { COMPLETED: 120, FAILED: 180 };
  const { bomb: _, ...others } = FAMILIES;
  expect(faultsOfOutcomes(300, { families: FAMILIES, states })).toEqual([]);
  expect(faultsOfOutcomes(300, { families: others, states })).toEqual(['a family is missing: bomb']);
  expect(faultsOfOutcomes(300, { families: FAMILIES, states: { COMPLETED: 60, FAILED: 240 } })).toEqual([
    'only 60 of 300 jobs ended as COMPLETED',
  ]);
  // A single mutant is generated again to find the cause of its error.
  expect(faultsOfOutcomes(1, { families: { bomb: 1 }, states: { FAILED: 1 } })).toEqual([]);
});
