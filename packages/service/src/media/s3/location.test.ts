import { type MediaPath, parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, test } from 'vitest';
import { isKeyTooLong, keyOf, rootLocation, s3Root } from './location.ts';

const STORAGE = { bucket: 'media', prefix: 'telecine/' };

test('a key is the prefix of the storage, the folder of the client and the path, byte for byte', () => {
  const location = rootLocation(s3Root(STORAGE, 'clients/amy'));
  expect(location).toEqual({ bucket: 'media', prefix: 'telecine/clients/amy/' });
  expect(keyOf(location, parseMediaPath('/Ünïcode/a b+c%20.mp4', '/') as MediaPath)).toBe(
    'telecine/clients/amy/Ünïcode/a b+c%20.mp4',
  );
});

test('no root of a client leaves the storage', () => {
  const prefixes = ['/srv/media/amy', '../other', 'a/../../b', './a//b/', '..', '/'].map(
    (root) => rootLocation(s3Root(STORAGE, root)).prefix,
  );
  expect(prefixes).toEqual([
    'telecine/srv/media/amy/',
    'telecine/other/',
    'telecine/a/b/',
    'telecine/a/b/',
    'telecine/',
    'telecine/',
  ]);
});

test('S3 allows keys of 1024 bytes', () => {
  const location = { bucket: 'media', prefix: 'p/' };
  expect([
    isKeyTooLong(location, 'é'.repeat(511) as MediaPath),
    isKeyTooLong(location, `${'é'.repeat(511)}a` as MediaPath),
  ]).toEqual([false, true]);
});
