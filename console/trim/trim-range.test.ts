import { expect, test } from 'vitest';
import {
  boundedRange,
  firstFrameOf,
  frameAt,
  frameShownAt,
  lastFrameOf,
  moveEnd,
  moveStart,
  stepTo,
} from './trim-range.ts';

const FILM = { duration: 60, fps: 25 };
const PART = { start: 10, end: 20 };

test('the start and the end keep at least a frame between them, and stay in the film', () => {
  expect(moveStart(PART, -5, FILM)).toEqual({ start: 0, end: 20 });
  expect(moveStart(PART, 30, FILM)).toEqual({ start: 19.96, end: 20 });
  expect(moveEnd(PART, 3, FILM)).toEqual({ start: 10, end: 10.04 });
  expect(moveEnd(PART, 99, FILM)).toEqual({ start: 10, end: 60 });
});

test('a part that may not be longer moves with the point that is moved', () => {
  const short = { ...FILM, maxLength: 12 };
  expect(moveEnd(PART, 30, short)).toEqual({ start: 18, end: 30 });
  expect(moveStart(PART, 2, short)).toEqual({ start: 2, end: 14 });
});

test('typed times beyond the film are shown at its end', () => {
  expect(boundedRange({ start: 70, end: 90 }, FILM)).toEqual({ start: 60, end: 60 });
  expect(boundedRange({ start: 50, end: 40 }, FILM)).toEqual({ start: 50, end: 50 });
});

test.each([
  ['ArrowRight', false, 10.04],
  ['ArrowLeft', false, 9.96],
  ['ArrowUp', true, 11],
  ['ArrowLeft', true, 9],
  ['PageUp', false, 20],
  ['PageDown', false, 0],
  ['End', false, 60],
  ['Home', false, 0],
  ['a', false, undefined],
])('the key %s (with Shift: %s) goes from 10 to %d', (key, isShift, to) => {
  expect(stepTo(10, key, isShift, FILM)).toBe(to);
});

test('arrows reach each frame of a film with an odd frame rate once', () => {
  const film = { duration: 60, fps: 30_000 / 1001 };
  const times = [0];
  for (let frame = 0; frame < 100; frame++) times.push(stepTo(times.at(-1) ?? 0, 'ArrowRight', false, film) ?? 0);
  expect(times).toEqual(times.map((_, frame) => Math.floor((frame * 1001 * 1000) / 30_000 + 1e-4) / 1000));
  expect(stepTo(times[100] ?? 0, 'ArrowLeft', false, film)).toBe(times[99]);
});

test('a drag stops at frames', () => {
  expect(frameAt(10.05, FILM)).toBe(10.04);
  expect(frameAt(99, FILM)).toBe(60);
});

test('the frame at a position is the one that is shown there', () => {
  expect(frameShownAt(10.035, FILM)).toBe(10);
  expect(frameShownAt(10.04, FILM)).toBe(10.04);
  const film = { duration: 60, fps: 24 };
  expect(frameShownAt(2.083, film)).toBe(2.083);
  expect(frameShownAt(2.12, film)).toBe(2.083);
});

test('at the end of a film, its last frame is shown', () => {
  expect(frameShownAt(60, FILM)).toBe(59.96);
  expect(frameShownAt(60, { duration: 60, fps: 24 })).toBe(59.958);
});

test.each([119.88, 144, 240, 300])(
  'each frame of a film with %d frames per second is shown at its time, in milliseconds',
  (fps) => {
    const film = { duration: 10, fps };
    const times = Array.from({ length: 500 }, (_, frame) => Math.floor((frame / fps) * 1000 + 1e-4) / 1000);
    expect(times.map((time) => frameShownAt(time, film))).toEqual(times);
    expect(times.map((time) => firstFrameOf(time, film))).toEqual(times);
    expect(times.slice(1).map((time) => lastFrameOf(time, film))).toEqual(times.slice(0, -1));
  },
);

test('a part has the frames from its start to before its end, also if these are the times of no frames', () => {
  const film = { duration: 60, fps: 24 };
  expect(firstFrameOf(17.5, film)).toBe(17.5);
  expect(firstFrameOf(17.51, film)).toBe(17.541);
  expect(firstFrameOf(17.541, film)).toBe(17.541);
  expect(lastFrameOf(17.5, film)).toBe(17.458);
  expect(lastFrameOf(17.51, film)).toBe(17.5);
  // 17.541 is the time of the frame after 17.5, rounded down to milliseconds.
  expect(lastFrameOf(17.541, film)).toBe(17.5);
  expect(lastFrameOf(0, film)).toBe(0);
});
