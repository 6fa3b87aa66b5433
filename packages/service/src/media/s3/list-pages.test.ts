import { expect, test } from 'vitest';
import { decodeKey } from './list-pages.ts';

test('a listed key is decoded, with the folders above it', () => {
  expect(decodeKey('a%20b/c+d/%C3%9C%2Be.ts')).toEqual({ key: 'a b/c d/Ü+e.ts', parents: ['a b', 'a b/c d'] });
  expect(decodeKey('a%2Fb')).toEqual({ key: 'a/b', parents: ['a'] });
});

test('a key that is not UTF-8 still makes folders of what is above it', () => {
  expect(decodeKey('a.ts/%FF/b')).toEqual({ key: undefined, parents: ['a.ts'] });
});
