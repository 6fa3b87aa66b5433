import { expect, test } from 'vitest';
import { canMeet, counter, enough, readPattern } from './name-pattern.ts';

/** `%d` counts from 0, `%5d` from 5; a nought before it is the width: `%03d`. */
const pattern = (text: string) =>
  readPattern(text, /%(0\d)?(\d)?d/g, ([, width = '', from = '0']) => counter(width, Number(from)));

test.each([
  ['a.ts', 'a.ts'],
  ['a%d.ts', 'a7.ts'],
  ['a%d.ts', 'a10.ts'],
  ['a%03d.ts', 'a007.ts'],
  ['a%03d.ts', 'a1234.ts'],
  ['a%d.ts', 'a%d.ts'],
  ['a%03d.ts', 'a%d.ts'],
  ['a1%d.ts', 'a11%d.ts'],
  ['%d_%d', '1_2'],
  ['%d1', '1%d'],
  ['a%5d', 'a5'],
])('"%s" and "%s" can be one name', (one, other) => {
  expect(canMeet(pattern(one), pattern(other), enough())).toBe(true);
  expect(canMeet(pattern(other), pattern(one), enough())).toBe(true);
});

test.each([
  ['a.ts', 'b.ts'],
  ['a.ts', 'a.tsx'],
  ['a%d.ts', 'a.ts'],
  ['a%d.ts', 'a07.ts'],
  ['a%03d.ts', 'a07.ts'],
  ['a%d.ts', 'ax.ts'],
  ['a%d.ts', 'a%d.m4s'],
  ['a_0%d', 'a_1%d'],
  ['%d_', '%d-'],
  ['a%5d', 'a4'],
])('"%s" and "%s" are never one', (one, other) => {
  expect(canMeet(pattern(one), pattern(other), enough())).toBe(false);
  expect(canMeet(pattern(other), pattern(one), enough())).toBe(false);
});

test('names that would take long to compare are left alone', () => {
  const effort = enough();
  const ones = `${'1'.repeat(200)}x`;
  expect(canMeet(pattern('%d'.repeat(100)), pattern(ones), effort)).toBe(false);
  expect(effort.steps).toBeLessThan(0);
});
