import { expect, test } from 'vitest';
import { commonStart, decodeKey } from './list-keys.ts';

test('keys are listed by what all of them begin with', () => {
  expect(commonStart(['a/film-0001.ts', 'a/film-0002.ts', 'a/film.m3u8'])).toBe('a/film');
  expect(commonStart(['b', 'a'])).toBe('');
  expect(commonStart(['same', 'same'])).toBe('same');
});

test('a prefix never ends within a character', () => {
  expect(commonStart(['a/😀', 'a/😁'])).toBe('a/');
});

test('a listed key is decoded, with the folders above it', () => {
  expect(decodeKey('a%20b/c+d/%C3%9C%2Be.ts')).toEqual({ key: 'a b/c d/Ü+e.ts', parents: ['a b', 'a b/c d'] });
  expect(decodeKey('a%2Fb')).toEqual({ key: 'a/b', parents: ['a'] });
});

test('a key that is not UTF-8 still makes folders of what is above it', () => {
  expect(decodeKey('a.ts/%FF/b')).toEqual({ key: undefined, parents: ['a.ts'] });
});
