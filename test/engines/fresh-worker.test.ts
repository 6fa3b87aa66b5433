import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { ReadyView } from '../../src/wire/system.ts';
import { adminClient } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { startPostgres } from '../support/postgres.ts';
import { becomesReady } from '../support/readiness.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

/**
 * The installed ffmpeg, which logs what it is asked about components, and answers nothing about an encoder but libx264. A worker that
 * completes its catalogue asks for the encoders in their order, so it waits for the first ones.
 */
async function unfinishedFfmpeg(): Promise<{ readonly ffmpegPath: string; readonly asked: () => Promise<string> }> {
  const folder = await testFolder('unfinished-ffmpeg');
  const [ffmpegPath, log] = [join(folder, 'ffmpeg'), join(folder, 'asked')];
  const lines = [
    '#!/bin/bash',
    'for word; do :; done',
    `[[ "$word" == *=* && "$*" == *' -h '* ]] && echo "$word" >> '${log}'`,
    '[[ "$word" == encoder=* && "$word" != encoder=libx264 ]] && exec sleep 600',
    `exec '${tools().ffmpegPath}' "$@"`,
  ];
  await writeFile(ffmpegPath, `${lines.join('\n')}\n`, { mode: 0o755 });
  return { ffmpegPath, asked: async () => (existsSync(log) ? readFile(log, 'utf8') : '') };
}

needs('ffmpeg', 'PostgreSQL')(
  'a new worker runs the jobs of a service without ffmpeg before it has completed its catalogue',
  async () => {
    const postgres = await startPostgres(await testFolder('postgres'));
    onTestFinished(() => postgres.stop());
    const env = { TELECINE_DATABASE_URL: postgres.url('postgres') };
    const api = await startServer({ env, args: ['--no-worker'] });
    const { mediaRoot } = api;
    await putSmallMovie(mediaRoot, 2, 'movie.mp4');
    const { ffmpegPath, asked } = await unfinishedFfmpeg();
    const dataDir = join(await testFolder('fresh-worker'), 'data');
    // Nothing is known from an earlier start.
    await mkdir(join(dataDir, 'catalogues'), { recursive: true });
    const worker = await startServer({
      // The script in ffmpeg's place is not in the sandbox.
      env: { ...env, FFMPEG_PATH: ffmpegPath, TELECINE_SANDBOX: 'off' },
      ...{ mediaRoot, dataDir, command: 'worker' },
    });
    await becomesReady(api.url);
    const admin = await adminClient(api);
    await waitUntil('the queries in the background', async () => (await asked()).includes('encoder=') || undefined);
    expect(await asked(), 'not known yet').not.toContain('encoder=libx264');

    const parameters = { 'c:v': 'libx264', crf: '30', preset: 'ultrafast', an: '' };
    const request = { input: 'movie.mp4', output: 'out.mkv', parameters };
    expect(await admin.run(request)).toMatchObject({ status: 'COMPLETED', attempt: 1 });
    expect(await asked()).toContain('encoder=libx264');
    const wrong = { ...request, output: 'wrong.mkv', parameters: { ...parameters, crf: 'high' } };
    expect(await admin.request('/api/conversion', { body: wrong })).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/parameters/crf' }] },
    });
    const ready = (await (await fetch(`${api.url}/ready`)).json()) as ReadyView;
    expect(ready.checks['workers']).toMatchObject({
      status: 'ok',
      message: expect.stringContaining('A worker is preparing'),
    });

    await worker.kill9('group');
    const other = { ...request, output: 'other.mkv', parameters: { 'c:v': 'mpeg4', mpeg_quant: '1', an: '' } };
    const reply = await admin.request('/api/conversion', { body: other });
    expect(reply).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    expect(reply.headers.get('retry-after')).toBe('5');
    const known = await admin.request('/api/conversion', { body: { ...request, output: 'later.mkv' } });
    expect(known.status, 'what is known needs no answer').toBe(202);
  },
);
