import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Job } from '../domain/job.ts';
import { readInSteps, readSteps, stepsOf } from './read-steps.ts';

const NEVER = new AbortController().signal;

test('jobs are read together up to 64 KiB, and a larger one alone', () => {
  const sizes = [10, 30, 30, 70, 1000, 5].map((kib, i) => ({ jobId: `${i}`, bytes: kib * 1024 }));
  expect(stepsOf(sizes)).toEqual([['0', '1'], ['2'], ['3'], ['4'], ['5']]);
  const small = Array.from({ length: 120 }, (_, i) => ({ jobId: `${i}`, bytes: 10 }));
  expect(stepsOf(small).map((step) => step.length)).toEqual([50, 50, 20]);
});

test('each client takes one step in a turn of the event loop, however many it has asked for', async () => {
  const step = readSteps();
  const taken: string[] = [];
  const take = (clientId: string) => step(clientId, NEVER, async () => void taken.push(clientId));
  const steps = [...Array.from({ length: 20 }, () => take('amy')), take('bob')];
  const perTurn: string[] = [];
  while (taken.length < 21) {
    const before = taken.length;
    await setImmediate();
    perTurn.push(taken.slice(before).join());
  }
  expect(perTurn.filter((turn) => turn.split('amy').length > 2)).toEqual([]);
  expect(taken.indexOf('bob'), 'bob waits for one step').toBeLessThanOrEqual(1);
  await Promise.all(steps);
});

test('jobs are read for a client in steps of some bytes, each when it is asked for', async () => {
  const reads: (readonly string[])[] = [];
  const getMany = async (jobIds: readonly string[]) => {
    reads.push(jobIds);
    return jobIds.map((jobId) => ({ jobId }) as Job);
  };
  const sizes = ['a', 'b', 'c'].map((jobId) => ({ jobId, bytes: 40_000 }));
  for await (const jobs of readInSteps({ jobs: { getMany }, step: readSteps() }, 'amy', sizes)) {
    expect(jobs.map(({ jobId }) => [jobId])).toEqual([reads.at(-1)]);
  }
  expect(reads).toEqual([['a'], ['b'], ['c']]);
});
