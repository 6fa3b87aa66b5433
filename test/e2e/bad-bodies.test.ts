import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { sendRequest } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { needs } from '../support/needs.ts';
import { problemChecker } from '../support/openapi-contract.ts';
import { rawReply } from '../support/raw-reply.ts';

const start = commonServer();
const test = needs('ffmpeg');

const GOOD = '{"input":"a.mp3","output":"a.mka"}';
const JSON_TYPE = { 'content-type': 'application/json' };
const bytes = (body: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(body);

interface BadBody {
  readonly title: string;
  readonly raw: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number;
  readonly code: string;
  /** Must match the problem document. */
  readonly problemText: RegExp;
}

const broken = (title: string, raw: string | Uint8Array<ArrayBuffer>, problemText: RegExp): BadBody => ({
  title,
  raw,
  headers: JSON_TYPE,
  status: 400,
  code: 'INVALID_JSON',
  problemText,
});

const BODIES: readonly BadBody[] = [
  broken('a body that ends too early', '{"input":"a.mp3",', /line 1, column 18/),
  broken('a comma too many', '{"input":"a.mp3","output":"a.mka",}', /name in double quotes was expected at line 1/),
  broken('single quotes', "{'input':'a.mp3'}", /double quotes/),
  broken('a comment', '{\n  // what to convert\n  "input":"a.mp3"}', /comment.* at line 2/),
  broken('two objects', `${GOOD}${GOOD}`, /after the end/),
  broken('a raw line end in a text', '{"input":"a\n.mp3"}', /line 1/),
  broken('a bad escape', '{"input":"\\x41"}', /escape/),
  broken('NaN', '{"input":NaN}', /unknown word/),
  broken('a form', 'input=a.mp3&output=a.mka', /unknown word/),
  { ...broken('a hundred thousand brackets', '['.repeat(100_000), /32 levels deep/), code: 'INVALID_REQUEST' },
  broken('bytes that are no UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d), /UTF-8/),
  broken('UTF-16', Uint8Array.from(Buffer.from(GOOD, 'utf16le')), /JSON/),
  { ...broken('no body', '', /"input"|object|body/), code: 'INVALID_REQUEST' },
  {
    title: 'plain text',
    raw: GOOD,
    headers: { 'content-type': 'text/plain' },
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    problemText: /Content-Type: application\/json/,
  },
  { title: 'no type', raw: GOOD, status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', problemText: /application\/json/ },
  {
    title: 'a form’s type',
    raw: 'input=a.mp3',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    problemText: /application\/json/,
  },
  {
    title: 'an upload',
    raw: GOOD,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    problemText: /application\/json/,
  },
  {
    title: 'a compressed body',
    raw: Uint8Array.from(gzipSync(GOOD)),
    headers: { ...JSON_TYPE, 'content-encoding': 'gzip' },
    status: 415,
    code: 'UNSUPPORTED_MEDIA_TYPE',
    problemText: /without Content-Encoding/,
  },
  {
    title: 'a body of more than a mebibyte',
    raw: `{"input":"a.mp3","output":"a.mka","llmId":"${'x'.repeat(1024 * 1024)}"}`,
    headers: JSON_TYPE,
    status: 413,
    code: 'BODY_TOO_LARGE',
    problemText: /1048576 bytes/,
  },
];

for (const endpoint of ['/api/conversion', '/mcp'])
  test.concurrent.for(BODIES)(
    `${endpoint}: $title is $status`,
    async ({ raw, headers = {}, status, code, problemText }, { expect }) => {
      const { own } = await start();
      const answer = await own.request(endpoint, { raw, headers, method: 'POST' });
      expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
      expect(JSON.stringify([answer.body.detail, answer.body.errors])).toMatch(problemText);
      expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(JSON.stringify(answer.body)).not.toMatch(/node_modules|\.[jt]s:\d|\/dist\/|\\n +at /);
    },
  );

test('checks the token before it reads any invalid body', async () => {
  const { server } = await start();
  for (const { raw, headers = {} } of BODIES) {
    const { status, body } = await sendRequest(server.url, '/api/conversion', { raw, headers, method: 'POST' });
    expect({ status, code: body.code }).toEqual({ status: 401, code: 'INVALID_TOKEN' });
  }
});

test('accepts a body of exactly 1 MiB, with a byte order mark, or with a charset', async () => {
  const { own } = await start();
  const filler = (length: number) => ' '.repeat(length - GOOD.length);
  const marked = Uint8Array.from([0xef, 0xbb, 0xbf, ...bytes(GOOD)]);
  for (const [raw, type] of [
    [GOOD + filler(1024 * 1024), 'application/json'],
    [marked, 'application/json'],
    [GOOD, 'Application/JSON; charset=utf-8'],
  ] as const) {
    const answer = await own.request('/api/conversion?dryRun=true', {
      raw,
      headers: { 'content-type': type },
      method: 'POST',
    });
    expect(answer.status, type).toBe(200);
  }
});

const REQUESTS: readonly (readonly [
  method: string,
  path: string,
  status: number,
  code: string,
  problemText: RegExp,
])[] = [
  ['GET', '/api/conversionx', 404, 'NOT_FOUND', /Did you mean \/api\/conversion\?/],
  ['PUT', '/api/conversion', 405, 'METHOD_NOT_ALLOWED', /GET.*POST|POST.*GET/],
  ['GET', '/api/conversion/42', 404, 'JOB_NOT_FOUND', /UUID/],
  ['GET', '/api/conversion/%ff', 400, 'BAD_REQUEST', /%25/],
  ['GET', '/api/v1/conversion', 404, 'NOT_FOUND', /openapi\.json/],
  ['POST', '/api/conversion?dry_run=true', 400, 'INVALID_REQUEST', /dryRun/],
];

test.concurrent.for(REQUESTS)('%s %s is %i', async ([method, path, status, code, problemText], { expect }) => {
  const { own } = await start();
  const answer = await own.request(path, {
    method,
    ...(method === 'POST' ? { body: JSON.parse(GOOD) as unknown } : {}),
  });
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  expect(JSON.stringify([answer.body.detail, answer.body.errors])).toMatch(problemText);
});

test('answers bytes that are not HTTP with 400, and keeps converting', async () => {
  const { server, own } = await start();
  const check = problemChecker(await (await fetch(`${server.url}/openapi.json`)).json());
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  const rawAnswer = rawReply(socket);
  socket.write('\u0016\u0003\u0001 convert my file please\r\n\r\n');
  expect(check(await rawAnswer)).toMatchObject({ status: 400, code: 'BAD_REQUEST' });
  expect((await own.list()).jobs).toEqual([]);
  await own.wait(await own.accept(JSON.parse(GOOD) as object));
});
