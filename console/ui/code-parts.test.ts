import { expect, test } from 'vitest';
import { codeParts, withoutCode } from './code-parts.ts';

test('a name between backticks is a part of its own', () => {
  expect(codeParts('Name it in `fontName`, or leave `font` out.')).toEqual([
    'Name it in ',
    'fontName',
    ', or leave ',
    'font',
    ' out.',
  ]);
  expect(codeParts('No names.')).toEqual(['No names.']);
});

test('a backtick without a partner stays as it is', () => {
  expect(codeParts('"a`b.mp4" does not exist.')).toEqual(['"a`b.mp4" does not exist.']);
  expect(codeParts('``')).toEqual(['``']);
});

test('backticks in a quoted name stay, and names outside of quotes are code', () => {
  expect(codeParts('"a`b.mp4" and "c`d\\"`.mp4" do not exist. Use `font`.')).toEqual([
    '"a`b.mp4" and "c`d\\"`.mp4" do not exist. Use ',
    'font',
    '.',
  ]);
  expect(codeParts('Send `{"name": "x"}`, not "`y`".')).toEqual(['Send ', '{"name": "x"}', ', not "`y`".']);
  expect(codeParts('A screen of 27" needs `scale`.')).toEqual(['A screen of 27" needs ', 'scale', '.']);
  expect(withoutCode('"a`b`.mp4" needs `map`.')).toBe('"a`b`.mp4" needs map.');
});

test('a tooltip has the names without backticks', () => {
  expect(withoutCode('Name it in `fontName`.')).toBe('Name it in fontName.');
});
