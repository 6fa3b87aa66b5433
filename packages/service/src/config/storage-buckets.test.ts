import { expect, test } from 'vitest';
import { parseBuckets } from './storage-buckets.ts';

const parse = (file: unknown, storage?: Parameters<typeof parseBuckets>[1]) =>
  parseBuckets(JSON.stringify(file), storage);
const ENDPOINT = 'https://s3.example.org';

test('reads the buckets with their defaults', () => {
  expect(
    parse({
      's3://footage': { endpoint: ENDPOINT, profile: 'f', credentialsFile: '/etc/f', clients: ['amy'] },
      's3://results/telecine/': { access: 'readWrite', region: 'eu-central-1' },
    }),
  ).toEqual([
    {
      ...{ bucket: 'footage', prefix: '', endpoint: ENDPOINT, region: 'us-east-1' },
      ...{ profile: 'f', credentialsFile: '/etc/f', access: 'read', clients: ['amy'] },
    },
    {
      bucket: 'results',
      prefix: 'telecine/',
      region: 'eu-central-1',
      access: 'readWrite',
      clients: [],
    },
  ]);
});

test.each<[title: string, file: unknown, message: RegExp]>([
  [
    'an unknown field',
    { 's3://a-b': { acess: 'read' } },
    /"s3:\/\/a-b" has the unknown field "acess"; allowed: endpoint,/,
  ],
  ['a secret', { 's3://a-b': { secretAccessKey: 'hush' } }, /unknown field "secretAccessKey"(?!.*hush)/],
  ['an unknown access', { 's3://a-b': { access: 'write' } }, /access must be "read" or "readWrite"/],
  [
    'credentials in the address',
    { 's3://a-b': { endpoint: 'https://u:hush@s3.lan' } },
    /must not contain credentials(?!.*hush)/,
  ],
  ['a key that is no bucket', { footage: {} }, /"footage" must be a bucket with or without a prefix/],
  ['a key with ".."', { 's3://a-b/../c': {} }, /must be a bucket/],
  ['a list', [], /must be an object/],
  ['a part twice', { 's3://a-b/c': {}, 's3://a-b/c/': {} }, /is there twice/],
  ['parts on two servers', { 's3://a-b': {}, 's3://a-b/c': { endpoint: ENDPOINT } }, /the same "endpoint"/],
])('rejects %s', (_, file, message) => {
  expect(() => parse(file)).toThrow(message);
});

test('rejects a text that is not JSON, without repeating it', () => {
  expect(() => parseBuckets('hush', undefined)).toThrow(/^must be JSON$/);
});

test('the bucket of the storage has the same server under its other name', () => {
  const storage = { bucket: 'media', prefix: 'telecine/', endpoint: ENDPOINT };
  expect(() => parse({ 's3://media': {} }, storage)).toThrow('is the bucket of TELECINE_STORAGE');
  expect(parse({ 's3://media': { endpoint: ENDPOINT } }, storage)).toHaveLength(1);
});
