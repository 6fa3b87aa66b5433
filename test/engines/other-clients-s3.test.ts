import { readFile } from 'node:fs/promises';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  GetObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import type { WatchView } from '../../packages/contract/src/wire/watch.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { adminClient, type ClientCredentials, login } from '../support/api-client.ts';
import { needs } from '../support/needs.ts';
import { newBucket, s3Environment, s3Server, testClient } from '../support/s3.ts';
import { type S3Request, startS3Proxy } from '../support/s3-proxy.ts';
import { startServer } from '../support/server.ts';

const test = needs('an S3 server', 'ffmpeg');
const PREFIX = 'telecine/';
const SECRET = 'bob/secret.mp4';

/** Spellings of a path of another client, from the media root `telecine/amy/`. */
const spellings = (bucket: string, path: string): readonly string[] => [
  ...[`../${path}`, `/../${path}`, `a/../../${path}`, `./.././${path}`, `..//${path}`, `../amy/../${path}`],
  ...[`..%2f${path}`, `%2e%2e/${path}`, `%252e%252e/${path}`, `..\\${path.replace('/', '\\')}`, `..;/${path}`],
  ...[`/${PREFIX}${path}`, `${PREFIX}${path}`, `//${path}`, `/${bucket}/${PREFIX}${path}`, `..\u2215${path}`],
  ...[`s3://${bucket}/${PREFIX}${path}`, `S3://${bucket}/${PREFIX}${path}`, `s3:${bucket}/${PREFIX}${path}`],
  ...[`s3://${bucket}/${PREFIX}amy/../${path}`, `s3:///${PREFIX}${path}`, `s3://${bucket}`, `s3://${bucket}/`],
  ...[`\uff0e\uff0e/${path}`, `\u2025/${path}`, `file:///${path}`, `concat:../${path}|own.mp4`, `subfile,,:../${path}`],
  ...[
    '.telecine-bin/x',
    '.TELECINE/jobs',
    '.telecine\u200b/x',
    `own.mp4?versionId=null&x=/${path}`,
    `own.mp4#/${path}`,
  ],
];

/** Sends a path as it is written: `fetch` would remove dots from it. */
async function send(url: string, token: string, method: string, path: string, body?: unknown) {
  const sent = request(url, {
    ...{ method, path: path.replaceAll(' ', '%20') },
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
  });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    sent.once('error', reject);
    sent.once('response', async (reply) => resolve({ status: reply.statusCode ?? 0, body: await text(reply) }));
  });
}

/** The requests in which a client can send a path. `raw`: as it is, in a path of the API. */
const requestsWith = (path: string, raw: string): readonly (readonly [string, string, unknown?])[] => {
  const query = encodeURIComponent(path);
  return [
    ...(['GET', 'HEAD', 'DELETE', 'PUT'] as const).flatMap((method) => [
      [method, `/api/files/${query}`] as const,
      [method, `/api/files/${raw}`] as const,
    ]),
    ...['view=frame', 'view=waveform', 'view=sheet'].map((view) => ['GET', `/api/files/${query}?${view}`] as const),
    ...[path, `${path}/`].map((prefix) => ['GET', `/api/files?prefix=${encodeURIComponent(prefix)}`] as const),
    ['GET', `/api/files?prefix=${encodeURIComponent(`${path}/`)}&q=secret`],
    ...[path, `${path}/`].map((zipped) => ['GET', `/api/files.zip?path=${encodeURIComponent(zipped)}`] as const),
    ['POST', '/api/file-moves', { from: path, to: `moved-${query.length}.mp4` }],
    ['POST', '/api/file-moves', { from: `${path}/`, to: `moved-${query.length}/` }],
    ['POST', '/api/file-moves', { from: 'spare.mp4', to: path }],
    ['POST', '/api/folders', { path }],
    ['POST', '/api/file-deletions', { paths: [path, `${path}/`], keep: true }],
    ['POST', '/api/file-deletions', { paths: [path, `${path}/`], keep: false }],
    ['POST', '/api/shares', { path: `${path}/`, files: 1, seconds: 60 }],
    ['POST', '/api/shares', { path, seconds: 60 }],
    ['POST', '/api/shares', { path: `${path}/`, seconds: 60 }],
    ['POST', '/api/probe', { input: path }],
    ['POST', '/api/analyze', { input: path, measure: { loudness: true } }],
    ['POST', '/api/watches', { folder: path, request: { output: '{name}.mkv' } }],
    ['POST', '/api/watches?dryRun=true', { folder: 'in/', request: { output: `${path}/{name}.mkv` } }],
    ['POST', '/api/watches?dryRun=true', { folder: `${path}/`, request: { output: '{name}.mkv' } }],
    ...(['/api/conversion', '/api/conversion?dryRun=true'] as const).flatMap((to) => [
      ['POST', to, { input: path, output: 'out.mkv', parameters: { c: 'copy', y: '' } }] as const,
      ['POST', to, { input: 'own.mp4', output: path, format: 'mp4', parameters: { c: 'copy', y: '' } }] as const,
    ]),
    [
      'POST',
      '/api/conversion?dryRun=true',
      { input: 'own.mp4', output: 'v.mkv', parameters: { vf: `movie='${path}'[a];[in][a]overlay` } },
    ],
    ['POST', '/api/conversion?dryRun=true', { inputs: ['own.mp4', path], output: 'j.mp4', join: 'copy' }],
    ['POST', '/api/conversions', { requests: [{ input: path, output: 'b.mkv', parameters: { c: 'copy' } }] }],
    ['POST', '/api/conversions', { each: path, request: { output: '{name}.mkv', parameters: { c: 'copy' } } }],
    ['POST', '/api/conversions', { each: `${path}/*`, request: { output: '{name}.mkv', parameters: { c: 'copy' } } }],
  ];
};

/** The keys and prefixes that a request to the object store names. A list of the bucket names a prefix. */
function keysOf({ url, copySource }: S3Request, bucket: string): readonly string[] {
  const { pathname, searchParams } = new URL(url, 'http://store');
  const key = decodeURIComponent(pathname).slice(`/${bucket}/`.length);
  const source =
    copySource === undefined
      ? []
      : [
          decodeURIComponent(copySource)
            .replace(/^\//, '')
            .slice(bucket.length + 1),
        ];
  return [key === '' ? (searchParams.get('prefix') ?? '') : key, ...source];
}

test('no spelling of a path has the service name an object of another client to the store', {
  timeout: 600_000,
}, async () => {
  const bucket = await newBucket(testClient(s3Server()));
  const store = testClient(s3Server());
  const film = await readFile(samplePath('480p'));
  const put = (key: string) => store.send(new PutObjectCommand({ Bucket: bucket, Key: PREFIX + key, Body: film }));
  // The name of the last client begins with that of the attacker.
  const others = [SECRET, 'amy2/secret.mp4', 'secret.mp4'];
  for (const key of [...others, 'amy/own.mp4', 'amy/spare.mp4', 'amy/in/a.mp4']) await put(key);
  const proxy = await startS3Proxy(s3Server().endpoint, () => undefined);
  const env = { ...s3Environment(s3Server(), bucket, PREFIX), TELECINE_STORAGE_ENDPOINT: proxy.endpoint };
  const server = await startServer({
    env: { ...env, TELECINE_RATE_LIMIT: 'off', TELECINE_WATCHES_PER_CLIENT: '1000' },
  });
  const { body: credentials } = await (await adminClient(server)).request<ClientCredentials>('/api/clients', {
    body: { clientId: 'amy', root: 'amy', scopes: ['jobs:read', 'jobs:write', 'files:read', 'files:write'] },
  });
  const amy = await login(server.url, credentials);
  const made = await amy.request<WatchView>('/api/watches', {
    body: { folder: 'in/', request: { output: 'seen/{name}.mkv' } },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const before = proxy.requests.length;
  const odd: string[] = [];
  let tries = 0;
  for (const other of [SECRET, 'amy2/secret.mp4'])
    for (const spelling of spellings(bucket, other)) {
      const raw = [...spelling]
        .map((letter) => (/[\x21-\x7e]/.test(letter) ? letter : encodeURIComponent(letter)))
        .join('');
      for (const [method, path, body] of requestsWith(spelling, raw.replace(/[?#].*/, ''))) {
        const reply = await send(server.url, amy.token, method, path, body);
        tries += 1;
        if (reply.status === 500) odd.push(`${method} ${path} ${JSON.stringify(body)} → ${reply.status} ${reply.body}`);
      }
    }
  const { jobs } = await amy.list('?limit=200');
  for (const { jobId } of jobs) await amy.wait(jobId, undefined, 300);
  const isOwn = (key: string): boolean => key.startsWith(`${PREFIX}amy/`) || key.startsWith(`${PREFIX}.telecine`);
  // The service asks whether it can list its storage.
  const isCheck = ({ url }: S3Request): boolean =>
    url.endsWith(`/?list-type=2&max-keys=1&prefix=${encodeURIComponent(PREFIX)}`);
  const foreign = proxy.requests
    .slice(before)
    .filter((sent) => !isCheck(sent) && !keysOf(sent, bucket).every(isOwn))
    .map(({ method, url, copySource }) => `${method} ${url} ${copySource ?? ''}`);
  expect([...new Set(foreign)]).toEqual([]);
  expect(odd).toEqual([]);
  expect(tries).toBeGreaterThan(2000);
  const keys: string[] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client: store }, { Bucket: bucket }))
    keys.push(...Contents.map(({ Key = '' }) => Key));
  expect(keys.filter((key) => !isOwn(key)).sort()).toEqual(others.map((key) => PREFIX + key).sort());
  for (const key of others) {
    const { Body } = await store.send(new GetObjectCommand({ Bucket: bucket, Key: PREFIX + key }));
    expect(film.equals((await Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
  }
  const { Uploads = [] } = await store.send(new ListMultipartUploadsCommand({ Bucket: bucket }));
  expect(Uploads).toEqual([]);
});
