import { expect, test } from 'vitest';
import { sumOfChunks, writeTask } from './chunk-task.ts';

const RUN = { hasRest: [true], sourceMicros: 0, disposition: [] };
const KEYS = { planKey: 'plan', inputKey: 'input', part: { output: 0, run: RUN, threads: 1, lengthSeconds: 10 } };

const chunkOf = (state: 'READY' | 'RUNNING' | 'DONE', doneSeconds = 0) => ({
  ...{ state, doneSeconds },
  task: writeTask({ ...KEYS, seconds: 10 }),
});

test('the progress of a job is the sum of its chunks', () => {
  expect(sumOfChunks([chunkOf('DONE'), chunkOf('RUNNING', 4), chunkOf('READY')])).toEqual({
    ...{ done: 14, total: 30, complete: 1 },
  });
});
