import { expect, test } from 'vitest';
import { VirtualClock } from '../support/virtual-clock.ts';

test('a real timer that is cleared while a virtual clock runs does not run again', async () => {
  let runs = 0;
  const timer = setInterval(() => {
    runs += 1;
  }, 1);
  {
    using _clock = new VirtualClock();
    clearInterval(timer);
  }
  // A timer of 1 ms that was set earlier would run before this one.
  await new Promise((resolve) => setTimeout(resolve, 3));
  expect(runs).toBe(0);
});

test('a timer of a virtual clock runs until it is cleared', async () => {
  using clock = new VirtualClock();
  const times: number[] = [];
  const timer = setInterval(() => {
    times.push(clock.seconds);
    if (times.length === 2) clearInterval(timer);
  }, 1000);
  await clock.run(clock.sleep(5500));
  expect(times).toEqual([1, 2]);
  expect(clock.seconds).toBe(5.5);
});
