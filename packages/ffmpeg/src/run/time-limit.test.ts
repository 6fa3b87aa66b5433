import { beforeEach, expect, test, vi } from 'vitest';
import { TimeLimit } from './stop.ts';

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

/** A limit of ten seconds, and the function that it calls. */
function limitOfTen() {
  const onEnd = vi.fn();
  return { limit: new TimeLimit(10, onEnd), onEnd };
}

test('the time for which a run waits does not count', async () => {
  const { limit, onEnd } = limitOfTen();
  await vi.advanceTimersByTimeAsync(4000);
  const turn = Promise.withResolvers<void>();
  const paused = limit.pauseFor(turn.promise);
  await vi.advanceTimersByTimeAsync(60_000);
  turn.resolve();
  await paused;
  await vi.advanceTimersByTimeAsync(5900);
  expect(onEnd).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test('a run that has taken too long is ended once, also if it then waits for its turn', async () => {
  const { limit, onEnd } = limitOfTen();
  await vi.advanceTimersByTimeAsync(10_100);
  await limit.pauseFor(Promise.resolve());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onEnd).toHaveBeenCalledTimes(1);
});

test('a run that ends while it waits is not ended again', async () => {
  const { limit, onEnd } = limitOfTen();
  const turn = Promise.withResolvers<void>();
  const paused = limit.pauseFor(turn.promise);
  limit.stop();
  turn.resolve();
  await paused;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onEnd).not.toHaveBeenCalled();
});
