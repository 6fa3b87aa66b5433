// @module-tag long
import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { describe, expect } from 'vitest';
import { type Canaries, placeCanaries, SECRET } from '../hostile/canaries.ts';
import { ENVIRONMENT } from '../hostile/environment.ts';
import { makeHarmfulFiles } from '../hostile/harmful-files.ts';
import { type HostileRow, isEndedByLimit } from '../hostile/row.ts';
import { SECTIONS } from '../hostile/rows.ts';
import { type ApiClient, adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';

const some = pLimit(4);

interface ServiceAmongCanaries {
  readonly canaries: Canaries;
  readonly admin: ApiClient;
}

/** Limits that end endless jobs soon. */
const SHORT_LIMITS = { TELECINE_CLIENT_LIMITS: 'duration=2,memory=640M,time=20' };

/** Starts a service whose media root is among canaries, with hostile variables in its environment. */
async function startAmongCanaries(mode: 'off' | 'required'): Promise<ServiceAmongCanaries> {
  const files = await makeHarmfulFiles(await testFolder('harmful'), tools().ffmpegPath);
  const rows = Object.values(SECTIONS).flat();
  const canaries = await placeCanaries(await realpath(await testFolder('canaries')), files, (placed) =>
    Object.assign({}, ...rows.map((row) => row.files?.(placed))),
  );
  // LD_PRELOAD would act on the service itself.
  const hostile = ENVIRONMENT.map((row) => row.env(canaries)).filter((env) => !('LD_PRELOAD' in env));
  const server = await startServer({
    mediaRoot: canaries.root,
    dataDir: await testFolder('data'),
    env: { ...Object.assign({}, ...hostile), TELECINE_SANDBOX: mode, TELECINE_CONCURRENCY: '2', ...SHORT_LIMITS },
  });
  return { canaries, admin: await adminClient(server) };
}

const services = new Map<string, Promise<ServiceAmongCanaries>>();
const ready = (mode: 'off' | 'required'): Promise<ServiceAmongCanaries> => {
  const service = services.get(mode) ?? startAmongCanaries(mode);
  services.set(mode, service);
  return service;
};

/** Codes of schema errors. The schema of a body is checked before its options. */
const SCHEMA_CODES: ReadonlySet<string> = new Set(['EMPTY', 'FORBIDDEN_NAME']);

/** Codes of endless jobs: a limit ended them, or their input does not exist. */
const LIMIT_CODES: ReadonlySet<string> = new Set(['LIMIT_EXCEEDED', 'TIMEOUT', 'INPUT_NOT_FOUND']);

/** Sends a row and waits for its job, if it is accepted. Returns the faults, in words. */
async function tryRow({ canaries, admin }: ServiceAmongCanaries, row: HostileRow): Promise<readonly string[]> {
  const reply = await admin.request<{
    readonly jobId: string;
    readonly errors?: readonly { readonly code: string }[];
  }>('/api/conversion', { body: row.request(canaries) });
  const faults: string[] = [];
  let text = JSON.stringify(reply.body);
  if (row.code !== undefined) {
    const codes = (reply.body.errors ?? []).map(({ code }) => code);
    // The installed ffmpeg may lack what the recorded one has.
    const isExpected = codes.some((code) => code === row.code || SCHEMA_CODES.has(code) || code.startsWith('UNKNOWN_'));
    if (reply.status !== 400 || !isExpected) faults.push(`${reply.status} ${codes.join(' ')}, not ${row.code}`);
  } else if (reply.status === 202) {
    const job = await admin.wait(reply.body.jobId);
    text = JSON.stringify(job) + (await admin.log(reply.body.jobId));
    if (row.files !== undefined && job.error === undefined) faults.push('its file was accepted');
    if (isEndedByLimit(row) && !LIMIT_CODES.has(job.error?.code ?? ''))
      faults.push(`ended as ${JSON.stringify(job.error)}`);
    if (row.effect === 'reveals' && job.error !== undefined) faults.push(JSON.stringify(job.error));
  }
  if (text.includes(SECRET)) faults.push('the secret leaked');
  return faults.map((fault) => `${row.title}: ${fault}`);
}

async function tryRows(service: ServiceAmongCanaries, rows: readonly HostileRow[]): Promise<void> {
  expect((await some.map(rows, (row) => tryRow(service, row))).flat()).toEqual([]);
  expect(await service.canaries.touched()).toEqual([]);
}

describe('by the checks alone, without a sandbox', () => {
  needs('ffmpeg').for(Object.entries(SECTIONS))('%s', async ([, rows]) => tryRows(await ready('off'), rows));
});

describe('with the checks and the sandbox', () => {
  const test = needs('sandbox');

  test('does not open files that an input refers to', { tags: 'long' }, async () =>
    tryRows(await ready('required'), SECTIONS['content of files'] ?? []),
  );

  test('the failure names an input that refers to other files, and suggests a fix', async () => {
    const { admin } = await ready('required');
    for (const input of ['hls.mp4', 'concat-near.mp4', 'dash.mp4', 'sdp.mp4'])
      expect(await admin.run({ input, output: `out/${input}.mkv`, parameters: { c: 'copy' } })).toMatchObject({
        status: 'FAILED',
        error: {
          code: expect.stringMatching(/^(INPUT_INVALID|UNSUPPORTED)$/),
          message: expect.stringContaining(`"${input}"`),
          fix: expect.stringMatching(/\w/),
        },
      });
  });
});

describe.each(['off', 'required'] as const)('with the sandbox %s', (mode) => {
  const test = mode === 'off' ? needs('ffmpeg') : needs('sandbox');

  test('converts a harmless movie, and no hostile request had an effect', async () => {
    const { admin, canaries } = await ready(mode);
    expect(await admin.run({ input: 'movie.mp4', output: 'out/honest.mkv', parameters: { t: '0.2' } })).toMatchObject({
      status: 'COMPLETED',
    });
    expect(await canaries.touched()).toEqual([]);
    const outputs = (await readdir(join(canaries.root, 'out'), { recursive: true, withFileTypes: true })).filter(
      (one) => one.isFile(),
    );
    for (const { parentPath, name } of outputs)
      expect((await readFile(join(parentPath, name), 'latin1')).includes(SECRET), name).toBe(false);
  });
});
