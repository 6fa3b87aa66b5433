import { expect, test } from 'vitest';
import { openBackgroundRepeats } from './background-repeats.ts';

/** Opens background repeats whose timer fires when the test calls `fire`. */
function open() {
  const delays: number[] = [];
  let due: (() => void) | undefined;
  const repeats = openBackgroundRepeats((run, ms) => {
    delays.push(ms);
    due = run;
    return { [Symbol.dispose]: () => (due = undefined) };
  });
  return { repeats, delays, isScheduled: () => due !== undefined, fire: () => due?.() };
}

test('tries one at a time while all fail, at longer and longer intervals', async () => {
  const { repeats, delays, fire } = open();
  const tried: string[] = [];
  let isDown = true;
  for (const name of ['a', 'b', 'c'])
    repeats.add(async () => {
      tried.push(name);
      return !isDown;
    });
  for (let round = 1; round <= 8; round += 1) {
    fire();
    await expect.poll(() => delays.length).toBe(round + 1);
  }
  expect(tried.slice(0, 4), 'one a round, in turn').toEqual(['a', 'b', 'c', 'a']);
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  isDown = false;
  fire();
  await expect.poll(() => tried.length).toBe(11);
  await repeats[Symbol.asyncDispose]();
  expect(tried).toHaveLength(11);
});

test('repeats what is left one last time when the service closes', async () => {
  const { repeats, isScheduled } = open();
  let tried = 0;
  repeats.add(async () => {
    tried += 1;
    return true;
  });
  expect(isScheduled()).toBe(true);
  await repeats[Symbol.asyncDispose]();
  expect([tried, isScheduled()]).toEqual([1, false]);
});
