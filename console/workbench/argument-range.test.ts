import type { Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import { rangeText } from './argument-range.ts';

const A = { description: 'It.' } as const;
const cases: readonly (readonly [Recipe['arguments'][string], string])[] = [
  [
    { ...A, type: 'number', min: 16, max: 4320, integer: true, unit: 'px', default: 540 },
    '16 to 4320 px, whole numbers, default 540.',
  ],
  [{ ...A, type: 'number', min: 0.1, max: 100 }, '0.1 to 100.'],
  [{ ...A, type: 'time', min: 0, max: 60, default: '1:30' }, '0 to 60 s, default 1:30.'],
  [{ ...A, type: 'time', min: 2 }, 'At least 2 s.'],
  [{ ...A, type: 'time' }, ''],
  [{ ...A, type: 'text', maxLength: 20, default: 'a' }, ''],
];

test.each(cases)('%j allows: %s', (argument, text) => {
  expect(rangeText(argument)).toBe(text);
});
