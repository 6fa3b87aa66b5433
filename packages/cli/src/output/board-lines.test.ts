import { stripVTControlCharacters } from 'node:util';
import textWidth from 'fast-string-truncated-width';
import { expect, test } from 'vitest';
import { boardLines, cutText } from './board.ts';

const FILES = ['holiday.mov', '日本語のとても長い名前の映画.mov', 'a '.repeat(200), '👩‍👩‍👧‍👦 family.mov'];
const rows = FILES.map((file, i) => ({ file, percent: 30 * i, note: '  5.2×  0:12 left' }));
const counts = { total: 40, done: 12, failed: 1, seconds: 83 };
const lines = (columns: number, height: number) =>
  boardLines(rows, counts, { columns, rows: height }).map(stripVTControlCharacters);

test('shows a bar, the speed and the name of each file, and the numbers of all', () => {
  expect(lines(80, 24)[0]).toBe('────────────────   0%    5.2×  0:12 left   holiday.mov');
  expect(lines(80, 24)[1]).toContain(' 30%    5.2×  0:12 left   日本語');
  expect(lines(80, 24).at(-1)).toBe('12 of 40 done  1 failed  4 running  23 waiting  1:23');
});

test('no line is as wide as the terminal, and there are fewer lines than it has rows', () => {
  for (const columns of [1, 5, 12, 20, 38, 60, 80, 200])
    for (const height of [1, 2, 3, 4, 24]) {
      const shown = lines(columns, height);
      expect(shown.length, `${height} rows`).toBeLessThanOrEqual(Math.max(1, height - 1));
      for (const line of shown) expect(textWidth(line).width, `${columns} columns`).toBeLessThan(Math.max(columns, 2));
    }
});

test('a narrow terminal shows the percentage and the beginning of the name', () => {
  expect(lines(24, 24)[0]).toMatch(/^─+ +0% +holiday\.mov$/);
  expect(lines(24, 24)[1]).toMatch(/30% +日本語.*…$/);
});

test('says how many conversions have no line', () => {
  expect(lines(80, 4)).toHaveLength(3);
  expect(lines(80, 4)[1]).toBe('and 3 more');
});

test('cuts a text at a whole character', () => {
  expect(cutText('holiday.mov', 8)).toBe('holiday…');
  expect(cutText('日本語', 4)).toBe('日…');
  expect(cutText('abc', 3)).toBe('abc');
  expect(cutText('abc', 0)).toBe('');
});
