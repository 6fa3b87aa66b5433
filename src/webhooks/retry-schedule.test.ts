import { expect, test } from 'vitest';
import { GIVE_UP_SECONDS, pauseAfter } from './retry-schedule.ts';

/** The pauses of a delivery whose attempts all fail. */
function pauses(random: number): readonly number[] {
  const found: number[] = [];
  for (let ageSeconds = 0; ; ageSeconds += found.at(-1) ?? 0) {
    const pause = pauseAfter({ attempts: found.length + 1, ageSeconds }, random);
    if (pause === undefined) return found;
    found.push(pause);
  }
}

test('the pauses grow from five seconds to four hours, within a day', () => {
  const found = pauses(0.5);
  expect(found.slice(0, 6)).toEqual([5, 20, 80, 320, 1280, 5120]);
  expect(new Set(found.slice(6))).toEqual(new Set([14_400]));
  const total = found.reduce((sum, pause) => sum + pause, 0);
  expect(total).toBeLessThanOrEqual(GIVE_UP_SECONDS);
  expect(total).toBeGreaterThan(GIVE_UP_SECONDS - 14_400);
});

test('each pause varies by a fifth, so that deliveries do not come back at once', () => {
  expect(pauseAfter({ attempts: 1, ageSeconds: 0 }, 0)).toBe(4);
  expect(pauseAfter({ attempts: 1, ageSeconds: 0 }, 1)).toBeCloseTo(6);
});

test('a longer wish of the receiver is honoured up to four hours, a shorter one is not', () => {
  const asked = (retryAfterSeconds: number) => pauseAfter({ attempts: 1, ageSeconds: 0, retryAfterSeconds }, 0.5);
  expect([asked(1), asked(60), asked(1e9)]).toEqual([5, 60, 14_400]);
});
