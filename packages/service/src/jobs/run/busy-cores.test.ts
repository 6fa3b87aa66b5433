import { expect, test } from 'vitest';
import { busyMeter, coresOf } from './busy-cores.ts';

test('averages the cores that jobs want over the time of a measurement', () => {
  let at = 0;
  const meter = busyMeter(() => at);
  meter.set(4);
  at = 10;
  const average = meter.start();
  at = 20;
  meter.set(0);
  at = 40;
  expect(average()).toBeCloseTo(4 / 3, 5);
});

test('a video wants most cores of the machine, and a light job a part of one', () => {
  expect(coresOf({ lane: 'full', weight: 100 }, 4)).toBeCloseTo(3.4, 5);
  expect(coresOf({ lane: 'full', weight: 200 }, 4)).toBeCloseTo(3.4, 5);
  expect(coresOf({ lane: 'light', weight: 50 }, 4)).toBe(0.5);
});
