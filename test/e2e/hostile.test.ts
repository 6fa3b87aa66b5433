import { readdir, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { describe, expect } from 'vitest';
import { type Canaries, placeCanaries, SECRET } from '../hostile/canaries.ts';
import { ENVIRONMENT } from '../hostile/environment.ts';
import { makeHarmfulFiles } from '../hostile/harmful-files.ts';
import { type HostileRow, isForLimits } from '../hostile/row.ts';
import { SECTIONS } from '../hostile/rows.ts';
import { type ApiClient, adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';

const some = pLimit(4);

interface Scene {
  readonly bait: Canaries;
  readonly admin: ApiClient;
}

/** Endless jobs stop soon. */
const SOON = { TELECINE_CLIENT_LIMITS: 'duration=2,memory=640M,time=20' };

/** A service that stands in the middle of a bait, and whose environment means harm too. */
async function scene(mode: 'off' | 'required'): Promise<Scene> {
  const files = await makeHarmfulFiles(await testFolder('harmful'), tools().ffmpegPath);
  const pointing = Object.values(SECTIONS).flat();
  const bait = await placeCanaries(await realpath(await testFolder('bait')), files, (laid) =>
    Object.assign({}, ...pointing.map((row) => row.files?.(laid))),
  );
  // That which is for the linker would be loaded by the service itself.
  const hostile = ENVIRONMENT.map((row) => row.env(bait)).filter((env) => !('LD_PRELOAD' in env));
  const server = await startServer({
    mediaRoot: bait.root,
    dataDir: await testFolder('data'),
    env: { ...Object.assign({}, ...hostile), TELECINE_SANDBOX: mode, TELECINE_CONCURRENCY: '2', ...SOON },
  });
  return { bait, admin: await adminClient(server) };
}

const scenes = new Map<string, Promise<Scene>>();
const ready = (mode: 'off' | 'required'): Promise<Scene> => {
  const made = scenes.get(mode) ?? scene(mode);
  scenes.set(mode, made);
  return made;
};

/** What is wrong with the shape of a body is told before options are looked at. */
const SHAPE: ReadonlySet<string> = new Set(['EMPTY', 'FORBIDDEN_NAME']);

/** How a job ends that would never end: by its limits, or at once, for what it names is no file. */
const ENDS: ReadonlySet<string> = new Set(['LIMIT_EXCEEDED', 'TIMEOUT', 'INPUT_NOT_FOUND']);

/** Sends a row, and waits for its job where it becomes one. What is wrong with that, in words. */
async function tryRow({ bait, admin }: Scene, row: HostileRow): Promise<readonly string[]> {
  const answer = await admin.request<{
    readonly jobId: string;
    readonly errors?: readonly { readonly code: string }[];
  }>('/api/conversion', { body: row.request(bait) });
  const faults: string[] = [];
  let told = JSON.stringify(answer.body);
  if (row.code !== undefined) {
    const codes = (answer.body.errors ?? []).map(({ code }) => code);
    // Another ffmpeg than the recorded one may not even have it.
    const fits = codes.some((code) => code === row.code || SHAPE.has(code) || code.startsWith('UNKNOWN_'));
    if (answer.status !== 400 || !fits) faults.push(`${answer.status} ${codes.join(' ')}, not ${row.code}`);
  } else if (answer.status === 202) {
    const job = await admin.wait(answer.body.jobId);
    told = JSON.stringify(job) + (await admin.log(answer.body.jobId));
    if (row.files !== undefined && job.error === undefined) faults.push('its file was let through');
    if (isForLimits(row) && !ENDS.has(job.error?.code ?? '')) faults.push(`ended as ${JSON.stringify(job.error)}`);
    if (row.effect === 'tells' && job.error !== undefined) faults.push(JSON.stringify(job.error));
  }
  if (told.includes(SECRET)) faults.push('the secret was told');
  return faults.map((fault) => `${row.title}: ${fault}`);
}

async function tryRows(on: Scene, rows: readonly HostileRow[]): Promise<void> {
  expect((await some.map(rows, (row) => tryRow(on, row))).flat()).toEqual([]);
  expect(await on.bait.touched()).toEqual([]);
}

describe('without a sandbox, the checks alone', () => {
  needs('ffmpeg').for(Object.entries(SECTIONS))('%s', async ([, rows]) => tryRows(await ready('off'), rows));
});

describe('in the sandbox, behind the checks', () => {
  const test = needs('sandbox');

  test('does not open files that an input refers to', async () =>
    tryRows(await ready('required'), SECTIONS['what files hold'] ?? []));

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

  test('converts a harmless movie, and no malicious request had an effect', async () => {
    const { admin, bait } = await ready(mode);
    expect(await admin.run({ input: 'movie.mp4', output: 'out/honest.mkv', parameters: { t: '0.2' } })).toMatchObject({
      status: 'COMPLETED',
    });
    expect(await bait.touched()).toEqual([]);
    const outputs = (await readdir(join(bait.root, 'out'), { recursive: true, withFileTypes: true })).filter((one) =>
      one.isFile(),
    );
    for (const { parentPath, name } of outputs)
      expect((await readFile(join(parentPath, name), 'latin1')).includes(SECRET), name).toBe(false);
  });
});
