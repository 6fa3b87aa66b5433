import { expect, test } from 'vitest';
import { boundedRegion, drawRegion, isWhole, middleRegion, moveRegion, resizeRegion, withAspect } from './region.ts';

const frame = { width: 1920, height: 1080 };
const REGION = { x: 100, y: 100, width: 400, height: 300 };
const LOWER_RIGHT = { side: 'right', edge: 'bottom' } as const;
const UPPER_LEFT = { side: 'left', edge: 'top' } as const;

test('a region moves within the frame', () => {
  expect(moveRegion(REGION, { x: 10.4, y: -20 }, frame)).toEqual({ ...REGION, x: 110, y: 80 });
  expect(moveRegion(REGION, { x: 9999, y: 9999 }, frame)).toEqual({ ...REGION, x: 1520, y: 780 });
  expect(moveRegion(REGION, { x: -9999, y: -9999 }, frame)).toEqual({ ...REGION, x: 0, y: 0 });
});

test('a corner moves, and the opposite one stays', () => {
  expect(resizeRegion(REGION, LOWER_RIGHT, { x: 50, y: -50 }, { frame })).toEqual({
    ...REGION,
    width: 450,
    height: 250,
  });
  expect(resizeRegion(REGION, UPPER_LEFT, { x: 50, y: -50 }, { frame })).toEqual({
    x: 150,
    y: 50,
    width: 350,
    height: 350,
  });
  expect(resizeRegion(REGION, UPPER_LEFT, { x: 9999, y: 9999 }, { frame })).toEqual({
    x: 484,
    y: 384,
    width: 16,
    height: 16,
  });
  expect(resizeRegion(REGION, LOWER_RIGHT, { x: 9999, y: 9999 }, { frame })).toEqual({
    ...REGION,
    width: 1820,
    height: 980,
  });
});

test('a region keeps its aspect ratio while a corner moves, also at the edge of the frame', () => {
  const keeps = { frame, aspect: 4 / 3 };
  expect(resizeRegion(REGION, LOWER_RIGHT, { x: 40, y: 1 }, keeps)).toEqual({ ...REGION, width: 440, height: 330 });
  expect(resizeRegion(REGION, LOWER_RIGHT, { x: 1, y: 30 }, keeps)).toEqual({ ...REGION, width: 440, height: 330 });
  expect(resizeRegion(REGION, LOWER_RIGHT, { x: 9999, y: 0 }, keeps)).toEqual({ ...REGION, width: 1307, height: 980 });
});

test('a chosen aspect ratio keeps the middle', () => {
  expect(withAspect(REGION, 1)).toEqual({ x: 150, y: 100, width: 300, height: 300 });
  expect(withAspect(REGION, 2)).toEqual({ x: 100, y: 150, width: 400, height: 200 });
});

test('a typed region is shown within the frame', () => {
  expect(boundedRegion({ x: 1900, y: -5, width: 500, height: 2000 }, frame)).toEqual({
    x: 1900,
    y: 0,
    width: 20,
    height: 1080,
  });
});

test('a region is drawn from any corner to any other, within the frame', () => {
  const drawn = { x: 100, y: 200, width: 300, height: 150 };
  const [left, right, top, bottom] = [100, 400, 200, 350];
  expect(drawRegion({ x: left, y: top }, { x: right, y: bottom }, { frame })).toEqual(drawn);
  expect(drawRegion({ x: right, y: bottom }, { x: left, y: top }, { frame })).toEqual(drawn);
  expect(drawRegion({ x: right, y: top }, { x: left, y: bottom }, { frame })).toEqual(drawn);
  expect(drawRegion({ x: left, y: bottom }, { x: right, y: top }, { frame })).toEqual(drawn);
  expect(drawRegion({ x: 1800, y: 1000 }, { x: 9999, y: 9999 }, { frame })).toEqual({
    x: 1800,
    y: 1000,
    width: 120,
    height: 80,
  });
});

test('a short drag draws the smallest region, also at an edge', () => {
  expect(drawRegion({ x: 100, y: 100 }, { x: 103, y: 101 }, { frame })).toEqual({
    x: 100,
    y: 100,
    width: 16,
    height: 16,
  });
  expect(drawRegion({ x: 1918, y: 2 }, { x: 1920, y: 0 }, { frame })).toEqual({ x: 1904, y: 0, width: 16, height: 16 });
  expect(drawRegion({ x: 2, y: 2 }, { x: 4, y: 4 }, { frame: { width: 8, height: 8 } })).toMatchObject({ width: 8 });
});

test('a drawn region keeps an aspect ratio', () => {
  const { width, height } = drawRegion({ x: 500, y: 500 }, { x: 100, y: 450 }, { frame, aspect: 2 });
  expect([width, height]).toEqual([400, 200]);
});

test('keys begin with the middle of the frame, and a region that is the whole frame cannot move', () => {
  expect(middleRegion(frame)).toEqual({ x: 480, y: 270, width: 960, height: 540 });
  expect(isWhole(middleRegion(frame), frame)).toBe(false);
  expect(isWhole({ x: 0, y: 0, ...frame }, frame)).toBe(true);
});
