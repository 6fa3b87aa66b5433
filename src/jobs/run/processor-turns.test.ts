import { expect, onTestFinished, test, vi } from 'vitest';
import { nextTurn } from '../../domain/steps.ts';
import { processorTurns } from './processor-turns.ts';

const NEVER_OVER_MS = 60_000;

/** Conversions by number, of which `started` lists those that may run. */
function conversions(limit: number, turnMs = NEVER_OVER_MS) {
  const waitForTurn = processorTurns(limit, turnMs);
  const started: number[] = [];
  const add = (id: number) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    void waitForTurn(promise).then(() => started.push(id));
    return { end: resolve, fail: reject };
  };
  return { started, add };
}

test('lets as many start as there are processors, and the others in their order', async () => {
  const { started, add } = conversions(2);
  const [first, second] = [1, 2, 3, 4].map(add);
  await nextTurn();
  expect(started).toEqual([1, 2]);
  second?.end();
  await nextTurn();
  expect(started).toEqual([1, 2, 3]);
  first?.fail();
  await nextTurn();
  expect(started).toEqual([1, 2, 3, 4]);
});

test('lets the next one start beside one that runs for longer than a turn, which counts only once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { started, add } = conversions(1, 10);
  const long = add(1);
  const others = [2, 3].map(add);
  await vi.advanceTimersByTimeAsync(10);
  expect(started).toEqual([1, 2]);
  long.end();
  await nextTurn();
  expect(started).toEqual([1, 2]);
  others[0]?.end();
  await nextTurn();
  expect(started).toEqual([1, 2, 3]);
});

test('a conversion that ends while it waits takes no turn', async () => {
  const { started, add } = conversions(1);
  const first = add(1);
  const killed = add(2);
  add(3);
  killed.end();
  await nextTurn();
  // Nothing is left of it to start.
  expect(started).toEqual([1, 2]);
  first.end();
  await nextTurn();
  expect(started).toEqual([1, 2, 3]);
});
