import { expect, test } from 'vitest';
import { parseRequestPath } from './bucket-path.ts';
import { allowedStores } from './client.ts';
import { parseInputPath } from './url-input.ts';

const SETTINGS = {
  grants: [{ bucket: 'footage', prefix: '', access: 'readWrite' }],
  urls: { check: () => undefined },
} as const;

const scopeOf = (limits: Parameters<typeof allowedStores>[1]) => ({
  pathPrefix: '/',
  ...allowedStores(SETTINGS, limits),
});
const URL_INPUT = 'https://example.org/in.mp4';
const BUCKET_INPUT = 's3://footage/in.mp4';

test('a client without such limits may use what the settings allow', () => {
  expect(parseInputPath(URL_INPUT, scopeOf({})).path).toBe(URL_INPUT);
  expect(parseRequestPath(BUCKET_INPUT, scopeOf({}), 'write')).toBe(BUCKET_INPUT);
});

test('a client with the limit urls=deny may use buckets, but no URLs', () => {
  const scope = scopeOf({ urls: 0 });
  expect(parseInputPath(URL_INPUT, scope).path).toMatchObject({
    code: 'STORAGE_NOT_ALLOWED',
    message: 'Inputs from URLs are not allowed for this client.',
  });
  expect(parseInputPath(BUCKET_INPUT, scope).path).toBe(BUCKET_INPUT);
});

test('a client with the limit buckets=deny sees no difference between a bucket that exists and one that does not', () => {
  const scope = scopeOf({ buckets: 0 });
  const denied = parseRequestPath(BUCKET_INPUT, scope, 'read');
  expect(denied).toMatchObject({ code: 'STORAGE_NOT_ALLOWED' });
  const unknown = parseRequestPath('s3://nowhere/in.mp4', scope, 'read');
  expect(JSON.stringify(unknown).replaceAll('nowhere', 'footage')).toBe(JSON.stringify(denied));
  expect(parseInputPath(URL_INPUT, scope).path).toBe(URL_INPUT);
  expect(parseRequestPath('in.mp4', scope, 'read')).toBe('in.mp4');
});
