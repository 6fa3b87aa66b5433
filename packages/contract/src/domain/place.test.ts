import { expect, test } from 'vitest';
import { arePlaces, nearestPlace, placeName } from './place.ts';

const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'centre'];

test.each([
  [{ x: 0.1, y: 0.2 }, 'top-left'],
  [{ x: 0.9, y: 0.6 }, 'bottom-right'],
  [{ x: 0.4, y: 0.5 }, 'centre'],
])('what is dropped at %j is nearest to %s', (at, place) => {
  expect(nearestPlace(CORNERS, at)).toBe(place);
});

test('only an argument whose choices are all places is shown on the picture', () => {
  expect(arePlaces(CORNERS)).toBe(true);
  expect(arePlaces(['top', 'bottom'])).toBe(true);
  expect(arePlaces(['fast', 'top'])).toBe(false);
  expect(arePlaces(['toString', 'top'])).toBe(false);
});

test('a place is named in words', () => {
  expect(placeName('top-left')).toBe('Top left');
  expect(placeName('centre')).toBe('Centre');
});
