import { expect, test } from 'vitest';
import { mediaRoot } from '../../../../test/support/media-root.ts';
import { parseRequestPath, parseStoredPath } from './bucket-path.ts';
import { parseMediaPath } from './media-path.ts';
import type { BucketGrant } from './media-root.ts';

const GRANTS: readonly BucketGrant[] = [
  { bucket: 'footage', prefix: '', access: 'read' },
  { bucket: 'footage', prefix: 'secret/', access: 'none' },
  { bucket: 'footage', prefix: 'secret/drafts/', access: 'readWrite' },
  { bucket: 'results', prefix: 'telecine/', access: 'readWrite' },
];
const SCOPE = mediaRoot('/srv/media', GRANTS);

const read = (text: string, use: 'read' | 'write' = 'read') => {
  const path = parseRequestPath(text, SCOPE, use);
  return typeof path === 'string' ? path : path.code;
};

test('a granted object keeps its address, and a path in the media root is read as ever', () => {
  expect(read('s3://footage/a b/Ü+%20.mp4')).toBe('s3://footage/a b/Ü+%20.mp4');
  expect(read('s3://results/telecine/x.mp4', 'write')).toBe('s3://results/telecine/x.mp4');
  expect(read('/srv/media/a.mp4')).toBe('a.mp4');
});

test('the longest entry counts, by whole segments', () => {
  expect(read('s3://footage/secret/a.mp4')).toBe('STORAGE_NOT_ALLOWED');
  expect(read('s3://footage/secrets/a.mp4')).toBe('s3://footage/secrets/a.mp4');
  expect(read('s3://footage/secret/drafts/a.mp4', 'write')).toBe('s3://footage/secret/drafts/a.mp4');
  expect(read('s3://results/telecine')).toBe('STORAGE_NOT_ALLOWED');
});

test('no spelling of a key reaches what another spelling does not', () => {
  for (const text of ['s3://footage/a/../secret/b.mp4', 's3://footage//secret/./b.mp4', 's3://footage/secret//b.mp4'])
    expect(read(text), text).toBe('STORAGE_NOT_ALLOWED');
  expect(read('s3://footage/../results/telecine/x.mp4')).toBe('OUTSIDE_ROOT');
  expect(read('s3://footage/.telecine/x')).toBe('RESERVED_NAME');
  expect(read('s3://footage/a\u0000.mp4')).not.toContain('footage');
});

test.each([
  's3://',
  's3:///a.mp4',
  's3://a_/b',
  's3://amy:secret@footage/a',
  's3://../footage/a',
  'S3://footage/a.mp4',
])('rejects %s', (text) => {
  expect(read(text)).toBe('STORAGE_NOT_ALLOWED');
});

test('a bucket without a key is a folder', () => {
  for (const text of ['s3://footage', 's3://footage/', 's3://footage/a/', 's3://footage/a/..'])
    expect(read(text), text).toBe('IS_DIRECTORY');
});

test('the error for a bucket is the same whether the operator has named it or not', () => {
  const wordsOf = (bucket: string) =>
    JSON.stringify(
      parseRequestPath(`s3://${bucket}/a.mp4`, mediaRoot('/', [{ bucket: 'b1', prefix: '', access: 'none' }]), 'read'),
    ).replaceAll(bucket, 'B');
  expect(wordsOf('b1')).toBe(wordsOf('unknown'));
  expect(parseRequestPath('s3://footage/a.mp4', SCOPE, 'write')).toEqual({
    code: 'STORAGE_NOT_ALLOWED',
    message:
      'This part of the bucket "footage" is not allowed for writing for this client, only paths below "s3://footage/secret/drafts/".',
  });
});

test('a path with a scheme is never a path in a media root', () => {
  expect(parseMediaPath('s3://footage/a.mp4', '/')).toMatchObject({ code: 'STORAGE_NOT_ALLOWED' });
  expect(parseStoredPath('s3://footage/a.mp4')).toBe('s3://footage/a.mp4');
});

test('the grant with the longest prefix counts in any order of the grants', () => {
  const scope = mediaRoot('/srv/media', GRANTS.toReversed());
  expect(parseRequestPath('s3://footage/secret/a.mp4', scope, 'read')).toMatchObject({ code: 'STORAGE_NOT_ALLOWED' });
  expect(parseRequestPath('s3://footage/secret/drafts/a.mp4', scope, 'write')).toBe('s3://footage/secret/drafts/a.mp4');
});
