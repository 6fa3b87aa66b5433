import { expect, test } from 'vitest';
import { canOverlap, comparisonBudget, numberCounter, parseNamePattern } from './name-pattern.ts';

/**
 * Parses a pattern: `%d` counts from 0, and `%5d` counts from 5. With a leading zero, the number is a width: `%03d`.
 */
const pattern = (text: string) =>
  parseNamePattern(text, /%(0\d)?(\d)?d/g, ([, width = '', from = '0']) => numberCounter(width, Number(from)));

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
  ['%d00', '1%03d'],
  ['s1%d', 's11%d'],
])('"%s" and "%s" can result in the same name', (one, other) => {
  expect(canOverlap(pattern(one), pattern(other), comparisonBudget())).toBe(true);
  expect(canOverlap(pattern(other), pattern(one), comparisonBudget())).toBe(true);
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
  ['s1%d', 's10%d'],
  ['s1%03d', 's10%03d'],
])('"%s" and "%s" never result in the same name', (one, other) => {
  expect(canOverlap(pattern(one), pattern(other), comparisonBudget())).toBe(false);
  expect(canOverlap(pattern(other), pattern(one), comparisonBudget())).toBe(false);
});

/** Matches the numbers that `printf` writes for each counter. */
const PRINTED: Readonly<Record<string, string>> = {
  '%d': '(?:0|[1-9]\\d*)',
  '%02d': '(?:\\d\\d|[1-9]\\d{2,})',
  '%5d': '(?:[5-9]|[1-9]\\d+)',
};
const NAMES = [1, 2, 3, 4].flatMap((length) =>
  Array.from({ length: 10 ** length }, (_, n) => `${n}`.padStart(length, '0')),
);

test('two patterns overlap exactly if a name matches both', () => {
  const parts = ['0', '1', '%d', '%02d'];
  const two = parts.flatMap((one) => parts.map((other) => one + other));
  const three = two.slice(0, -4).flatMap((text) => [`${text}0`, `${text}1`]);
  const all = [...parts, ...two, ...three, '%5d', '0%5d', '1%5d', '%5d0', '%d%5d'];
  const patterns = all.map((text) => {
    const printed = new RegExp(`^${text.replaceAll(/%\d*d/g, (mark) => PRINTED[mark] ?? '')}$`);
    return { text, pattern: pattern(text), is: NAMES.map((name) => printed.test(name)) };
  });
  const wrong = patterns.flatMap((one) =>
    patterns.flatMap((other) => {
      const overlap = one.is.some((is, index) => is && other.is[index]);
      return canOverlap(one.pattern, other.pattern, comparisonBudget()) === overlap
        ? []
        : [`${one.text} ${other.text}: ${overlap}`];
    }),
  );
  expect(wrong).toEqual([]);
});

test('gives up on names that take too long to compare', () => {
  const budget = comparisonBudget();
  const ones = `${'1'.repeat(200)}x`;
  expect(canOverlap(pattern('%d'.repeat(100)), pattern(ones), budget)).toBe(false);
  expect(budget.steps).toBeLessThan(0);
});
