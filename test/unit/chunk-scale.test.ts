import { expect, test } from 'vitest';
import recorded from '../fixtures/chunk-times.json' with { type: 'json' };
import { simulateChunks } from '../support/simulated-workers.ts';

const TWO_HOURS = 7200;

/** The number of workers, and how many times as fast as one alone each of them must be. */
const SHARES = [
  [8, 0.9],
  [16, 0.9],
  [32, 0.8],
  [64, 0.75],
] as const;

for (const [workers, share] of SHARES)
  test(`${workers} workers encode two hours in chunks, each at least ${share} times as fast as one alone`, {
    ...((workers === 8 || workers === 64) && { tags: 'long' }),
  }, async () => {
    const { alone, seconds, chunks, encoded } = await simulateChunks(recorded.times, { workers, seconds: TWO_HOURS });
    expect(alone / seconds / workers, `${seconds} s, ${chunks} chunks`).toBeGreaterThanOrEqual(share);
    expect(encoded).toBeCloseTo(TWO_HOURS, 3);
  });

test('one worker alone runs whole', async () => {
  await expect(simulateChunks(recorded.times, { workers: 1, seconds: TWO_HOURS })).rejects.toThrow('Only one worker');
});

test('what is not shared counts: no number of workers is faster than the list of the frames and the join', async () => {
  const { times } = recorded;
  const slow = {
    ...times,
    listedBytesPerSecond: times.inputBytesPerSecond * 4,
    joinedBytesPerSecond: times.outputBytesPerSecond * 10,
  };
  const film = 1800;
  const { seconds } = await simulateChunks(slow, { workers: 16, seconds: film });
  expect(seconds).toBeGreaterThan(film / 4 + film / 10);
});
