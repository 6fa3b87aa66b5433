import { expect, test } from 'vitest';
import { countedSeconds, sumOfChunks, writeTask } from './chunk-task.ts';

const KEYS = { planKey: 'plan', inputKey: 'input', part: '{}' };

const chunkOf = (state: 'READY' | 'RUNNING' | 'DONE', task: object, doneSeconds = 0) => ({
  ...{ state, doneSeconds },
  task: writeTask({ ...KEYS, seconds: 10, ...task }),
});

test('the progress of a job is the sum of its chunks', () => {
  expect(sumOfChunks([chunkOf('DONE', {}), chunkOf('RUNNING', {}, 4), chunkOf('READY', {})])).toEqual({
    ...{ done: 14, total: 30, complete: 1 },
  });
});

test('a chunk that is encoded again never lowers the progress by more than it adds to the sum', () => {
  const trial = countedSeconds({ seconds: 10, isTrial: true });
  expect(trial).toEqual({ seconds: 1.5, later: 10 });
  const after = { ...countedSeconds({ seconds: 10, isTrial: false }), before: 1.5 };
  const ended = sumOfChunks([chunkOf('DONE', trial), chunkOf('DONE', trial)]);
  expect(ended).toEqual({ done: 3, total: 23, complete: 0 });
  expect(sumOfChunks([chunkOf('READY', after), chunkOf('READY', after)])).toEqual(ended);
  expect(sumOfChunks([chunkOf('DONE', after), chunkOf('RUNNING', after, 5)])).toEqual({
    ...{ done: 18, total: 23, complete: 1 },
  });
  expect(sumOfChunks([chunkOf('RUNNING', trial, 9)]), 'a trial counts little').toMatchObject({ done: 1.5 });
});
