import type { S3Client } from '@aws-sdk/client-s3';
import { describe, expect, test } from 'vitest';
import { commonStart, findKeys } from './find-keys.ts';

test('keys are listed by what all of them begin with', () => {
  expect(commonStart(['a/film-0001.ts', 'a/film-0002.ts', 'a/film.m3u8'])).toBe('a/film');
  expect(commonStart(['b', 'a'])).toBe('');
  expect(commonStart(['same', 'same'])).toBe('same');
});

test('a prefix never ends within a character', () => {
  expect(commonStart(['a/😀', 'a/😁'])).toBe('a/');
});

describe('lists of other servers', () => {
  const KEYS = ['a+1', 'a+2', 'a+3'];
  const listOf = (...pages: readonly object[]) => {
    const left = [...pages];
    return findKeys({ send: async () => left.shift() } as unknown as S3Client, 'bucket', KEYS);
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
