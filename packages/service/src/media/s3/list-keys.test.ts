import type { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { commonStart, decodeKey, listKeys } from './list-keys.ts';

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

describe('lists of other servers', () => {
  const KEYS = ['a+1', 'a+2', 'a+3'];
  const listOf = (...pages: readonly object[]) => {
    const left = [...pages];
    return listKeys({ send: async () => left.shift() } as unknown as S3Client, 'bucket', KEYS);
  };
  const Contents = [{ Key: 'a%2B1' }];

  test('a list decides only if the server says that it encodes keys', async () => {
    expect((await listOf({ EncodingType: 'url', Contents }))?.objects.has('a+1')).toBe(true);
    expect(await listOf({ Contents: [{ Key: 'a+1' }] })).toBeUndefined();
  });

  test('a list decides only if it can be read to its end', async () => {
    expect(await listOf({ EncodingType: 'url', Contents, IsTruncated: true })).toBeUndefined();
  });
});
