import { expect, test } from 'vitest';
import { followedTo, middlesOf, shareOf, timeAt, wholeView, zoomedIn, zoomedOut } from './strip-view.ts';

const whole = wholeView(80);

test('a zoom shows what is around a time, and all of the source again', () => {
  const near = zoomedIn(whole, 40, 80);
  expect(near).toEqual({ from: 30, length: 20 });
  const nearer = zoomedIn(near, 31, 80);
  expect(nearer).toEqual({ from: 28.5, length: 5 });
  expect(zoomedOut(nearer, 31, 80)).toEqual({ from: 21, length: 20 });
  expect(zoomedOut(near, 40, 80)).toEqual(whole);
});

test('a zoom ends at the ends of the source, and at a second', () => {
  expect(zoomedIn(whole, 0, 80)).toEqual({ from: 0, length: 20 });
  expect(zoomedIn(whole, 80, 80)).toEqual({ from: 60, length: 20 });
  expect(zoomedIn({ from: 10, length: 1.5 }, 11, 80)).toEqual({ from: 10.5, length: 1 });
  expect(zoomedIn(wholeView(0.5), 0.2, 0.5)).toEqual(wholeView(0.5));
});

test('the view follows a time that leaves it', () => {
  const view = { from: 30, length: 20 };
  expect(followedTo(view, 35, 80)).toBe(view);
  expect(followedTo(view, 51, 80)).toEqual({ from: 41, length: 20 });
});

test('a place in the view is a time, and a drag beyond the view ends at its end', () => {
  const view = { from: 30, length: 20 };
  expect([29, 30, 35, 60].map((at) => shareOf(view, at))).toEqual([0, 0, 0.25, 1]);
  expect([-1, 0.25, 2].map((share) => timeAt(view, share))).toEqual([30, 35, 50]);
  expect(middlesOf(view, 4)).toEqual([32.5, 37.5, 42.5, 47.5]);
});
