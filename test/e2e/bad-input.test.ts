import { execFile } from 'node:child_process';
import { link, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type ApiClient, login } from '../support/api-client.ts';
import { applyFix, type ToolArguments } from '../support/apply-fix.ts';
import { commonServer } from '../support/common-server.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { type BadInput, GOOD } from './bad-input/case.ts';
import { OPTIONS } from './bad-input/options.ts';
import { PATHS, ROOT } from './bad-input/paths.ts';
import { SHAPES } from './bad-input/shapes.ts';

const start = commonServer();
const test = needs('ffmpeg');

let media: Promise<void> | undefined;

let client: Promise<ApiClient> | undefined;

/** A client with files, which may not name URLs. */
async function ready() {
  const { server } = await start();
  media ??= putFiles(server.mediaRoot);
  await media;
  client ??= insertClient(server, 'without-urls', { limits: { urls: 0 } }).then((one) => login(server.url, one));
  return { server, own: await client };
}

async function putFiles(root: string): Promise<void> {
  const at = (name: string) => join(root, name);
  await putSample(root, 'mp3', 'song.mp3');
  await mkdir(at('folder'));
  await symlink('song.mp3', at('soft.mp3'));
  await link(at('song.mp3'), at('hard.mp3'));
  await symlink('..', at('folder/up'));
  await symlink('/tmp', at('way-out'));
  await symlink('/etc/passwd', at('link-out.mka'));
  await promisify(execFile)('mkfifo', [at('pipe.mka')]);
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The body to send. An object is merged into a valid request. */
const bodyOf = ({ body }: BadInput): unknown =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...GOOD, ...body } : body;

const CASES: readonly BadInput[] = [...SHAPES, ...OPTIONS, ...PATHS];

test.concurrent.for(CASES)('$title: $code at $field', async (bad, { expect }) => {
  const { server, own } = await ready();
  const text = bad.raw ?? JSON.stringify(bodyOf(bad)).replaceAll(ROOT, server.mediaRoot);
  const { status, body } = await own.request('/api/conversion', { raw: text, headers: JSON_TYPE, method: 'POST' });
  const errorText = `${JSON.stringify(body.errors, null, 1)}`;
  expect(status, errorText).toBe(bad.status ?? 400);
  expect(body).toMatchObject({
    code: 'INVALID_REQUEST',
    title: 'Invalid request',
    requestId: expect.any(String),
  });
  const error = body.errors?.find(({ field }) => field === bad.field);
  expect(error, errorText).toMatchObject({ code: bad.code });
  const { message = '', fix, allowed } = error ?? {};
  expect(message).toMatch(/^.{10,}[.?]$/s);
  expect([message, fix, allowed?.join(', ')].join(' ')).toMatch(bad.text);
  expect(body.detail.length).toBeGreaterThan(10);
  expect(errorText.length, 'the error must be short').toBeLessThan(6000);
  expect(errorText).not.toContain(server.mediaRoot);
});

/** Fixes that a program can follow: another name or value, other members, or nothing. Others tell people what to do. */
const MECHANICAL = /^(?:Send "[^"]*"\.$|Send(?:, for example,)? ".*": (?:"[^"]*"|\[.*\])\.$|Leave it out)/;

test.concurrent.for(
  CASES.filter(
    ({ raw, field }) => raw === undefined && /^\/(?:parameters\/|[^/]+$)/.test(field) && !/put$/.test(field),
  ),
)('$title: the fix, followed, mends $field', async (bad, { expect }) => {
  const { server, own } = await ready();
  const send = async (body: unknown) => {
    const raw = JSON.stringify(body).replaceAll(ROOT, server.mediaRoot);
    const reply = await own.request('/api/conversion?dryRun=true', { raw, headers: JSON_TYPE, method: 'POST' });
    return reply.body.errors ?? [];
  };
  const body = bodyOf(bad);
  const error = (await send(body)).find(({ field }) => field === bad.field);
  const { message = '', field = '', fix = '' } = error ?? {};
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (!isObject || !MECHANICAL.test(fix)) return expect(error).toBeDefined();
  const after = await send(applyFix(body as ToolArguments, { code: '', message, field, fix }));
  expect(
    after.filter((other) => other.field === field),
    fix,
  ).toEqual([]);
});

test('queues none of the invalid requests, and then completes a valid one', async () => {
  const { own } = await ready();
  expect((await own.list()).jobs).toEqual([]);
  const job = await own.run(GOOD);
  expect(job.status).toBe('COMPLETED');
  expect((await own.list()).jobs).toEqual([job]);
});
