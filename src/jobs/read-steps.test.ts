import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readSteps, stepsOf } from './read-steps.ts';

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
