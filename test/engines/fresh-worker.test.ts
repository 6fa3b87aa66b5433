import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { identifyBuild } from '../../packages/ffmpeg/src/catalogue/build.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { loadCatalogue, saveCatalogue } from '../../packages/ffmpeg/src/catalogue/catalogue-file.ts';
import { adminClient } from '../support/api-client.ts';
import { saveCompleteCatalogue } from '../support/cached-catalogue.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startPostgres } from '../support/postgres.ts';
import { becomesReady } from '../support/readiness.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

/**
 * A program in ffmpeg's place, which logs what it is asked about components. By default, it answers nothing about the first encoders, for
 * which a worker that completes its catalogue asks in their order: so it is never done.
 */
async function loggingFfmpeg({
  hangs = true,
} = {}): Promise<{ readonly ffmpegPath: string; readonly asked: () => Promise<string> }> {
  const folder = await testFolder('logging-ffmpeg');
  const [ffmpegPath, log] = [join(folder, 'ffmpeg'), join(folder, 'asked')];
  const lines = [
    '#!/bin/bash',
    'for word; do :; done',
    `[[ "$word" == *=* && "$*" == *' -h '* ]] && echo "$word" >> '${log}'`,
    ...(hangs ? ['[[ "$word" == encoder=a64* ]] && exec sleep 600'] : []),
    `exec '${tools().ffmpegPath}' "$@"`,
  ];
  await writeFile(ffmpegPath, `${lines.join('\n')}\n`, { mode: 0o755 });
  return { ffmpegPath, asked: async () => (existsSync(log) ? readFile(log, 'utf8') : '') };
}

/** A service without ffmpeg on an empty PostgreSQL, and a function that starts workers beside it. */
async function serviceWithoutFfmpeg() {
  const postgres = await startPostgres(await testFolder('postgres'));
  onTestFinished(() => postgres.stop());
  const env = { TELECINE_DATABASE_URL: postgres.url('postgres') };
  const api = await startServer({ env, args: ['--no-worker'], until: 'listening' });
  const { mediaRoot } = api;
  await putSmallMovie(mediaRoot, 2, 'movie.mp4');
  /** `known`: the catalogue of an earlier start. By default, there is none. */
  const startWorker = async (ffmpegPath: string, known?: Catalogue) => {
    const dataDir = join(await testFolder('fresh-worker'), 'data');
    const folder = join(dataDir, 'catalogues');
    await mkdir(folder, { recursive: true });
    if (known !== undefined) await saveCatalogue(folder, known);
    // The script in ffmpeg's place is not in the sandbox.
    const own = { ...env, FFMPEG_PATH: ffmpegPath, TELECINE_SANDBOX: 'off' };
    return startServer({ env: own, mediaRoot, dataDir, command: 'worker' });
  };
  const workersCheck = async () => {
    const ready = (await (await fetch(`${api.url}/ready`)).json()) as ReadyView;
    return ready.checks['workers'];
  };
  return { api, startWorker, workersCheck };
}

/** With an encoder that a first start does not ask about. */
const PARAMETERS = { 'c:v': 'libx265', crf: '30', preset: 'ultrafast', an: '' };
const REQUEST = { input: 'movie.mp4', output: 'out.mkv', parameters: PARAMETERS };

needs('ffmpeg', 'PostgreSQL')(
  'a new worker runs the jobs of a service without ffmpeg before it has completed its catalogue',
  async () => {
    const { api, startWorker, workersCheck } = await serviceWithoutFfmpeg();
    const { ffmpegPath, asked } = await loggingFfmpeg();
    const worker = await startWorker(ffmpegPath);
    await becomesReady(api.url);
    const admin = await adminClient(api);
    await waitUntil('the queries in the background', async () => (await asked()).includes('encoder=a64') || undefined);
    expect(await asked(), 'not known yet').not.toContain('encoder=libx265');

    expect(await admin.run(REQUEST)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    expect(await asked()).toContain('encoder=libx265');
    const wrong = { ...REQUEST, output: 'wrong.mkv', parameters: { ...PARAMETERS, crf: 'high' } };
    expect(await admin.request('/api/conversion', { body: wrong })).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/parameters/crf' }] },
    });
    expect(await workersCheck()).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('A worker is preparing'),
    });

    await worker.kill9('group');
    const other = { ...REQUEST, output: 'other.mkv', parameters: { 'c:v': 'mpeg4', mpeg_quant: '1', an: '' } };
    const reply = await admin.request('/api/conversion', { body: other });
    expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(reply.headers.get('retry-after')).toBe('5');
    const known = await admin.request('/api/conversion', { body: { ...REQUEST, output: 'later.mkv' } });
    expect(known.status, 'what is known needs no answer').toBe(202);
  },
);

needs('ffmpeg', 'PostgreSQL')(
  'a service asks a worker that is preparing before it accepts or rejects what neither of them knows',
  async () => {
    const { api, startWorker } = await serviceWithoutFfmpeg();
    const { ffmpegPath, asked } = await loggingFfmpeg();
    await startWorker(ffmpegPath);
    await becomesReady(api.url);
    const admin = await adminClient(api);
    const cases = [
      { component: 'encoder=mpeg4', option: 'mpeg_quant', of: { 'c:v': 'mpeg4' }, right: '1', wrong: 'many' },
      { component: 'filter=noise', option: 'vf', of: {}, right: 'noise=alls=20:allf=t', wrong: 'noise=alls=loud' },
      { component: 'muxer=matroska', option: 'cues_to_front', of: {}, right: '1', wrong: 'perhaps' },
    ];
    for (const [index, { component, option, of, right, wrong }] of cases.entries()) {
      const send = (value: string, name: string) => ({
        input: 'movie.mp4',
        output: `${name}-${index}.mkv`,
        parameters: { ...(option === 'mpeg_quant' ? { an: '' } : PARAMETERS), ...of, [option]: value },
      });
      const rejected = await admin.request('/api/conversion', { body: send(wrong, 'wrong') });
      expect(rejected, component).toMatchObject({
        status: 400,
        body: { errors: [{ field: `/parameters/${option}` }] },
      });
      expect(await asked()).toContain(component);
      expect(await admin.run(send(right, 'right')), component).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    }
  },
);

needs('ffmpeg', 'PostgreSQL')(
  'a new worker asks nothing of its ffmpeg in the background if the database has the catalogue of that build',
  async () => {
    const { api, startWorker, workersCheck } = await serviceWithoutFfmpeg();
    const { ffmpegPath, asked } = await loggingFfmpeg({ hangs: false });
    const build = await identifyBuild(ffmpegPath);
    const folder = await testFolder('complete');
    await saveCompleteCatalogue(tools().ffmpegPath, folder);
    const complete = await loadCatalogue(folder, await identifyBuild(tools().ffmpegPath));
    if (complete === undefined) throw new Error('There is no complete catalogue.');
    const first = await startWorker(ffmpegPath, { ...complete, build });
    await becomesReady(api.url);
    await first.stop();
    expect(await asked(), 'the first one knew all of it').toBe('');

    await startWorker(ffmpegPath);
    const admin = await adminClient(api);
    expect(await admin.run(REQUEST)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    const check = await workersCheck();
    expect(check).toMatchObject({ status: 'ok' });
    expect(check).not.toHaveProperty('message');
    const needed = new Set((await asked()).trim().split('\n'));
    expect(needed, 'for the job').toContain('encoder=libx265');
    expect(needed, 'what else there is').not.toContain('encoder=a64multi');
  },
);
