import { expect, test } from 'vitest';
import { recentSpeed, type Written, withWritten } from './recent-speed.ts';

/** What is written twice a second. `speedAt`: the speed by the second. */
function writtenUntil(end: number, speedAt: (second: number) => number): readonly Written[] {
  let written: readonly Written[] = [];
  let seconds = 0;
  for (let at = 0; at <= end; at += 0.5) {
    written = withWritten(written, { atMs: at * 1000, seconds });
    seconds += speedAt(at) / 2;
  }
  return written;
}

test('a conversion that became faster has its new speed, however long it was slow', () => {
  const written = writtenUntil(1000, (second) => (second < 965 ? 0.1 : 4));
  expect(recentSpeed(written, 0.2)).toBeCloseTo(4, 5);
});

test('at the start, a known speed counts for what is missing of five seconds', () => {
  expect(recentSpeed([], 2)).toBe(2);
  const points: readonly Written[] = [
    { atMs: 0, seconds: 1 },
    { atMs: 2500, seconds: 11 },
  ];
  expect(recentSpeed(points, 2)).toBe(3);
});

test('the speed changes in small steps, also when it is first certain', () => {
  const speeds = [3, 3.5, 4, 4.5, 5, 5.5, 6].map((end) =>
    recentSpeed(
      writtenUntil(end, () => 4),
      2,
    ),
  );
  for (const [index, speed] of speeds.entries())
    expect(Math.abs(speed - (speeds[index - 1] ?? speed))).toBeLessThan(0.3);
  expect(speeds.at(-1)).toBeCloseTo(4, 5);
});

test('the time before an encoder writes its first frame does not count', () => {
  expect(
    recentSpeed(
      writtenUntil(30, (second) => (second < 20 ? 0 : 2)),
      0.5,
    ),
  ).toBeCloseTo(2, 5);
});

test('while nothing is written, the speed is a tenth of the known one', () => {
  expect(
    recentSpeed(
      writtenUntil(100, (second) => (second < 50 ? 2 : 0)),
      1,
    ),
  ).toBe(0.1);
});

test('only the last half minute is kept', () => {
  const written = writtenUntil(1000, () => 1);
  expect(written.length).toBe(61);
  expect(written[0]?.atMs).toBe(970_000);
});
