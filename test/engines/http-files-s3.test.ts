import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, onTestFinished } from 'vitest';
import { DEFAULT_SCOPES } from '../../packages/contract/src/domain/client.ts';
import type { FileListView } from '../../packages/contract/src/wire/files.ts';
import { fileOperations } from '../../packages/service/src/files/file-operations.ts';
import { uploadOperations } from '../../packages/service/src/files/uploads.ts';
import { OUTPUT_METADATA } from '../../packages/service/src/media/s3/object-facts.ts';
import { openS3Files, type S3FilesUnderTest } from '../fixtures/s3-files.ts';
import { codeOf, type FileReply, fileAt, filesClient } from '../support/files-client.ts';
import { httpApp } from '../support/http-app.ts';
import { fakeTokens, JOB_ID, jobOf } from '../support/http-fakes.ts';
import { needs } from '../support/needs.ts';
import { s3Server, testClient } from '../support/s3.ts';
import { type FaultOf, startS3Proxy } from '../support/s3-proxy.ts';
import { UNCOUNTED, WITHOUT_BIN } from '../support/uncounted-files.ts';
import type { FilesWithUploads } from '../support/whole-upload.ts';

const test = needs('an S3 server');

const FINGERPRINT = 'job.1';

/** The file routes of a service on an object store, with a job that has published `o.mp4`. */
async function serve({
  redirects = false,
  faultOf,
}: {
  readonly redirects?: boolean;
  readonly faultOf?: FaultOf;
} = {}) {
  const t = await openS3Files();
  onTestFinished(() => t.close());
  const store = await storeOf(t, redirects, faultOf);
  const job = jobOf({
    status: 'COMPLETED',
    outputs: [{ path: 'o.mp4', sizeBytes: 10, fingerprint: FINGERPRINT }],
  });
  const caller = { clientId: 'alice', scopes: DEFAULT_SCOPES, root: t.root, policy: {} };
  const { app } = httpApp({
    files: fileOperations({
      store,
      stored: UNCOUNTED,
      unfinished: { unfinished: async function* () {} },
      keepSeconds: 0,
      jobs: {
        get: async () => job,
        outputs: async () => job.outputs ?? [],
        outputsNear: async () => [],
        rootOf: async () => t.root,
      },
    }),
    uploads: uploadOperations({
      ...{ store: t.store.resumableUploads, leases: t.leases, parts: store.parts },
      ...{ stored: UNCOUNTED, withRoom: WITHOUT_BIN, keepSeconds: 0, maxBytes: 2 ** 30, expirySeconds: 3600 },
      onEvent: () => {},
      log: { warn: () => {} },
    }),
    tokens: fakeTokens({ verify: () => caller }),
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
  const publishOutput = (fingerprint = FINGERPRINT) =>
    t.client.send(
      new PutObjectCommand({
        Bucket: t.location.bucket,
        Key: 'own/amy/o.mp4',
        Body: '0123456789',
        Metadata: { [OUTPUT_METADATA]: fingerprint },
      }),
    );
  return { t, url, files: filesClient(url, 'good'), publishOutput };
}

async function storeOf(
  t: S3FilesUnderTest,
  redirects: boolean,
  faultOf: FaultOf | undefined,
): Promise<FilesWithUploads> {
  if (faultOf === undefined) return redirects ? t.open({ publicClient: t.client }) : t.files;
  const { endpoint } = await startS3Proxy(s3Server().endpoint, faultOf);
  const client = testClient(s3Server(), { endpoint });
  onTestFinished(() => client.destroy());
  return t.open({ client });
}

const output = `/api/conversion/${JOB_ID}/output`;

test('uploads, conditions, ranges, lists and deletions are answered as on a disk', async () => {
  const { files } = await serve();
  const film = randomBytes(10 * 2 ** 20);
  const made = await files.put('trip/été 1.mp4', film, { 'if-none-match': '*' });
  expect(made).toMatchObject({ status: 201, headers: { location: '/api/files/trip/%C3%A9t%C3%A9%201.mp4' } });
  const etag = made.headers['etag'] ?? '';
  const got = await files.get('trip/été 1.mp4');
  expect(got).toMatchObject({
    status: 200,
    headers: { etag, 'content-type': 'video/mp4', 'content-length': String(film.length), 'accept-ranges': 'bytes' },
  });
  expect(got.bytes.equals(film)).toBe(true);
  const head = await files.send('HEAD', fileAt('trip/été 1.mp4'));
  expect([head.status, head.headers['content-length'], head.bytes.length]).toEqual([200, String(film.length), 0]);

  const part = await files.get('trip/été 1.mp4', { range: 'bytes=-100', 'if-range': etag });
  expect(part).toMatchObject({ status: 206, headers: { etag } });
  expect(part.bytes.equals(film.subarray(-100))).toBe(true);
  expect((await files.get('trip/été 1.mp4', { range: `bytes=${film.length}-` })).status).toBe(416);
  expect((await files.get('trip/été 1.mp4', { 'if-none-match': etag })).status).toBe(304);
  expect((await files.put('trip/été 1.mp4', 'x', { 'if-none-match': '*' })).status).toBe(412);
  expect((await files.put('trip/été 1.mp4', 'other', { 'if-match': etag })).status).toBe(204);
  expect((await files.put('trip/été 1.mp4', 'late', { 'if-match': etag })).status).toBe(412);
  await files.put('trip/empty', '');
  expect((await files.get('trip/empty')).bytes).toHaveLength(0);

  const listed = await files.send('GET', '/api/files?prefix=trip/');
  const list = JSON.parse(listed.bytes.toString()) as FileListView;
  const changed = await files.send('HEAD', fileAt('trip/été 1.mp4'));
  expect(list.files.map(({ path }) => path)).toEqual(['trip/empty', 'trip/été 1.mp4']);
  expect(list.files[1]).toMatchObject({ sizeBytes: 5, etag: changed.headers['etag'] });

  const codes = async (reply: Promise<FileReply>) => [(await reply).status, codeOf(await reply)];
  expect(await codes(files.put('trip', 'x'))).toEqual([409, 'NOT_A_FILE']);
  expect(await codes(files.get('trip'))).toEqual([409, 'NOT_A_FILE']);
  expect(await codes(files.get('none.mp4'))).toEqual([404, 'FILE_NOT_FOUND']);
  expect(await codes(files.put(`${'a/'.repeat(600)}b`, 'x'))).toEqual([400, 'INVALID_REQUEST']);
  expect((await files.send('DELETE', fileAt('trip/empty'))).status).toBe(204);
  expect(await codes(files.send('DELETE', '/api/files/trip/'))).toEqual([409, 'FOLDER_NOT_EMPTY']);
});

test('an output is sent until another file replaces it, also one with the same content', async () => {
  const { files, publishOutput } = await serve();
  expect((await files.send('GET', output)).status).toBe(410);
  await publishOutput();
  expect((await files.send('GET', output, { range: 'bytes=2-3' })).bytes.toString()).toBe('23');
  await publishOutput('job.2');
  const gone = await files.send('GET', output);
  expect([gone.status, codeOf(gone)]).toEqual([410, 'OUTPUT_GONE']);
});

test('a download is redirected to the store, where it needs no token', async () => {
  const { url, files, publishOutput } = await serve({ redirects: true });
  await publishOutput();
  const redirect = await files.send('GET', output);
  expect(redirect).toMatchObject({ status: 302, headers: { 'cache-control': 'private, no-store' } });
  const { location = '', etag = '' } = redirect.headers;
  expect(new URL(location).origin).toBe(s3Server().endpoint);
  const whole = await fetch(location);
  expect([whole.status, await whole.text()]).toEqual([200, '0123456789']);
  expect(whole.headers.get('content-disposition')).toMatch(/^attachment; filename="?o.mp4"?$/);
  // As browsers and curl do.
  const followed = await fetch(url + output, { headers: { authorization: 'Bearer good', range: 'bytes=2-3' } });
  expect([followed.status, followed.redirected, await followed.text()]).toEqual([206, true, '23']);

  expect((await files.send('HEAD', output)).headers['content-length']).toBe('10');
  expect((await files.send('GET', output, { 'if-none-match': etag })).status).toBe(304);
  expect((await files.send('GET', output, { range: 'bytes=2-3', 'if-range': etag })).bytes.toString()).toBe('23');
  expect((await files.send('GET', output, { range: 'bytes=10-' })).status).toBe(416);
});

test('a download whose replies from the store break off arrives whole, or is visibly cut', async () => {
  let isAway = false;
  const faultOf: FaultOf = ({ method, url }) => {
    if (method !== 'GET' || !url.includes('x-id=GetObject')) return undefined;
    return isAway ? 'reset' : { cutAfterBytes: 3_000_000 };
  };
  const { t, url, files } = await serve({ faultOf });
  const film = randomBytes(20 * 2 ** 20);
  await t.client.send(new PutObjectCommand({ Bucket: t.location.bucket, Key: 'own/amy/a.mp4', Body: film }));
  expect((await files.get('a.mp4')).bytes.equals(film)).toBe(true);

  const sent = request(url + fileAt('a.mp4'), { headers: { authorization: 'Bearer good' }, agent: false }).end();
  const [reply] = await once(sent, 'response');
  await once(reply, 'data');
  isAway = true;
  await expect(buffer(reply)).rejects.toThrow('aborted');
  const refused = await files.get('a.mp4');
  expect([refused.status, codeOf(refused), refused.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
  expect(refused.headers['content-type']).toContain('application/problem+json');
});

test('requests get 503 with Retry-After while the store is asked too much', async () => {
  const { files } = await serve({ faultOf: () => 'slow down' });
  for (const reply of [
    await files.get('a.mp4'),
    await files.put('a.mp4', 'x'),
    await files.send('DELETE', fileAt('a.mp4')),
    await files.send('GET', '/api/files?prefix='),
    await files.send('GET', output),
  ]) {
    expect([reply.status, codeOf(reply), reply.headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
    expect(reply.bytes.toString()).not.toContain('own/amy');
  }
});
