import { expect, test } from 'vitest';
import { sceneAt, searchAround } from './scene.ts';

const search = { from: 0, to: 30 };
const near = { search, duration: 30, tolerance: 0.004 };

test('the scene at a time is between the changes around it', () => {
  expect(sceneAt([11.4, 14.24], 12, near)).toEqual({ start: 11.4, end: 14.24 });
  expect(sceneAt([11.4, 14.24], 3, near)).toEqual({ start: 0, end: 11.4 });
  expect(sceneAt([11.4, 14.24], 29, near)).toEqual({ start: 14.24, end: 30 });
});

test('the first frame of a scene belongs to it, also if its time is rounded down', () => {
  expect(sceneAt([11.4003, 14.24], 11.4, near)).toEqual({ start: 11.4003, end: 14.24 });
});

test('a picture that does not change has no scenes', () => {
  expect(sceneAt([], 12, near)).toBeUndefined();
});

test('in a long film, the search looks at the minutes around the position', () => {
  expect(searchAround(12, 30)).toEqual({ from: 0, to: 30 });
  expect(searchAround(3610, 7200)).toEqual({ from: 3480, to: 3720 });
  expect(searchAround(7190, 7200)).toEqual({ from: 7080, to: 7200 });
});

test('a scene whose start or end is not in the searched part is not known', () => {
  const part = { search: { from: 60, to: 300 }, duration: 7200, tolerance: 0.004 };
  expect(sceneAt([100, 200], 150, part)).toEqual({ start: 100, end: 200 });
  expect(sceneAt([100, 200], 70, part)).toBeUndefined();
  expect(sceneAt([100, 200], 250, part)).toBeUndefined();
});
