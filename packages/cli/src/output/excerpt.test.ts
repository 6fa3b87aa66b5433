import { expect, test } from 'vitest';
import { excerpt } from './explain.ts';

test('a short value is shown whole, with carets below its wrong part', () => {
  expect(excerpt('scale=2:2,blurr=2', { offset: 10, length: 5 })).toEqual(['scale=2:2,blurr=2', '          ^^^^^']);
  expect(excerpt('scale=2:2,', { offset: 10, length: 0 })).toEqual(['scale=2:2,', '          ^']);
  expect(excerpt('a\nb=1', { offset: 2, length: 1 })).toEqual(['a b=1', '  ^']);
});

test('of a long value, the text around its wrong part is shown', () => {
  const value = `${'a,'.repeat(50)}blurr=2${',b'.repeat(50)}`;
  const [line, carets] = excerpt(value, { offset: 100, length: 5 });
  expect(line.slice(carets.indexOf('^'), carets.length)).toBe('blurr');
  expect(line).toHaveLength(1 + 30 + 5 + 30 + 1);
});

test('the carets are below the wrong part also after characters of two columns', () => {
  expect(excerpt('drawtext=text=日本:sizee=9', { offset: 17, length: 5 })[1]).toBe(`${' '.repeat(19)}^^^^^`);
  const [line] = excerpt(`${'😀'.repeat(20)},blurr=2`, { offset: 41, length: 5 });
  expect(line.isWellFormed()).toBe(true);
});

test('of a long wrong part, its beginning is shown', () => {
  const [line, carets] = excerpt(`a=${'b'.repeat(5000)}`, { offset: 2, length: 5000 });
  expect([line.length, carets]).toEqual([2 + 40 + 30 + 1, `  ${'^'.repeat(40)}`]);
});
