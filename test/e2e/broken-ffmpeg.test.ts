// @module-tag long
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');

const flac = (output: string) => withOption('flac', { compression_level: '5' }, output);
const aac = (output: string) => withOption('aac', {}, output);

const withOption = (encoder: string, options: object, output: string) => ({
  input: 'in.mp4',
  output,
  parameters: { vn: '', 'c:a': encoder, ...options },
});

/** A service with an ffmpeg that does what a file says: `fine`, `hang`, `rubbish` or `crash`. */
async function serviceWithFfmpeg() {
  const folder = await testFolder('broken-ffmpeg');
  const [program, ffprobe, mode] = ['ffmpeg', 'ffprobe', 'mode'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(mode, 'fine');
  await copyFile(tools().ffprobePath, ffprobe);
  const cases = 'hang) exec sleep 1000;; rubbish) echo rubbish; exit 0;; crash) kill -SEGV $$;;';
  const script = `#!/bin/sh\ncase "$(cat '${mode}')" in ${cases} esac\nexec '${tools().ffmpegPath}' "$@"\n`;
  await writeFile(program, script, { mode: 0o755 });
  const env = {
    FFMPEG_PATH: program,
    FFPROBE_PATH: ffprobe,
    TELECINE_SANDBOX: 'off',
    TELECINE_STALL_TIMEOUT_SECONDS: '15',
  };
  const server = await startServer({ env });
  await putSmallMovie(server.mediaRoot, 4, 'in.mp4');
  const amy = await login(server.url, await insertClient(server, 'amy'));
  const bob = await login(server.url, await insertClient(server, 'bob'));
  const replaceBy = async (other: string): Promise<void> => {
    await writeFile(`${program}.new`, other, { mode: 0o755 });
    await rename(program, `${program}.old`);
    await rename(`${program}.new`, program);
  };
  const putBack = () => rename(`${program}.old`, program);
  const setMode = (text: string) => writeFile(mode, text);
  /** Installs the program again, as it was before it broke. */
  const repair = async (): Promise<void> => {
    await setMode('fine');
    await replaceBy(script);
  };
  return { server, amy, bob, setMode, repair, replaceBy, putBack };
}

for (const mode of ['hang', 'rubbish', 'crash'])
  test(`an ffmpeg that breaks after the start is asked nothing, and requests are checked as before: ${mode}`, async () => {
    const { server, amy, bob, setMode, repair } = await serviceWithFfmpeg();
    await setMode(mode);
    const begin = performance.now();
    const names = ['alac', 'wavpack', 'tta', 'dca', 'eac3', 'mp2', 'opus', 'vorbis', 'ac3', 'ffv1'];
    const paths = [...names.map((name) => `codecs/${name}`), 'options?q=crf', 'filters/overlay'];
    for (const reply of await Promise.all(paths.map((path) => amy.request(`/api/capabilities/${path}`))))
      expect(reply).toMatchObject({ status: 200 });
    const wrong = withOption('flac', { compression_level: 'high' }, 'b.mka');
    expect(await bob.request('/api/conversion', { body: wrong })).toMatchObject({
      status: 400,
      body: { errors: [{ field: '/parameters/compression_level' }] },
    });
    const accepted = await bob.accept(flac('c.mka'));
    expect(performance.now() - begin).toBeLessThan(8000);
    await repair();
    // A conversion that hangs is given up after its time limit.
    if (mode !== 'hang') expect(await bob.wait(accepted)).toMatchObject({ status: 'COMPLETED' });
    expect(server.log()).not.toContain('"level":"error"');
  }, 120_000);

test('jobs wait for an ffmpeg that crashes although its file is the same, and go on once it is repaired', async () => {
  const { server, amy, setMode, repair } = await serviceWithFfmpeg();
  expect(await amy.request('/api/conversion?dryRun=true', { body: aac('a.mka') })).toMatchObject({ status: 200 });
  await setMode('crash');
  const accepted = await amy.accept(aac('known.mka'));
  const { body } = await waitUntil('the job to find out', async () => {
    const reply = await amy.request('/ready');
    return reply.status === 503 ? reply : undefined;
  });
  const message = expect.stringMatching(/^The ffmpeg does not run any more\./);
  expect(body).toMatchObject({ checks: { ffmpeg: { message } } });
  expect(await amy.job(accepted)).toMatchObject({ status: 'PENDING' });
  await repair();
  expect(await amy.wait(accepted)).toMatchObject({ status: 'COMPLETED' });
  expect(server.log()).not.toContain('"level":"error"');
}, 120_000);

const REPLACEMENTS = [
  ['a program that hangs', '#!/bin/sh\nexec sleep 1000\n'],
  ['rubbish', '#!/bin/sh\necho rubbish\n'],
] as const;

for (const [what, script] of sampled(REPLACEMENTS, REPLACEMENTS.length))
  test(`no accepted job fails because ffmpeg is replaced by ${what}, and all go on once it is back`, async () => {
    const { server, amy, replaceBy, putBack } = await serviceWithFfmpeg();
    const before = await amy.accept(aac('before.mka'));
    expect((await amy.wait(before)).status).toBe('COMPLETED');
    const slow = {
      ...{ input: 'in.mp4', output: 'two.mp4' },
      parameters: { 'c:v': 'libx264', an: '', 'b:v': '200k', pass: '2', preset: 'medium', vf: 'scale=1280:-2' },
    };
    const running = await amy.accept(slow);
    const queued = await amy.accept(aac('queued.mka'));
    await amy.wait(running, ({ status }) => status === 'PROCESSING');
    await replaceBy(script ?? '');
    const GONE = { status: 503, body: { code: 'UNAVAILABLE', detail: expect.stringContaining('was replaced') } };
    // The program is looked at every 10 ms.
    await expect.poll(() => amy.request('/api/conversion?dryRun=true', { body: aac('new.mka') })).toMatchObject(GONE);
    expect(await amy.request('/api/conversion', { body: aac('new.mka') })).toMatchObject(GONE);
    expect(await amy.request('/api/capabilities/codecs')).toMatchObject(GONE);
    expect(await amy.request('/api/files/in.mp4?view=frame')).toMatchObject(GONE);
    for (const job of [running, queued])
      await waitUntil('the jobs to be given back', async () =>
        ['PENDING', 'COMPLETED'].includes((await amy.job(job)).status) ? true : undefined,
      );
    await putBack();
    for (const job of [running, queued]) {
      const { status, error } = await amy.wait(job);
      expect([status, error]).toEqual(['COMPLETED', undefined]);
    }
    expect(server.log()).not.toContain('"level":"error"');
  }, 120_000);

test('an ffmpeg that another version replaced runs what is known, and the operator learns that a restart is needed', async () => {
  const { server, amy, replaceBy } = await serviceWithFfmpeg();
  const version = `[ "$*" = -version ] && { echo 'ffmpeg version 99.9 Copyright'; exit; }`;
  await replaceBy(`#!/bin/sh\n${version}\nexec '${tools().ffmpegPath}' "$@"\n`);
  const ready = await waitUntil('the other version to be known', async () => {
    const reply = await amy.request<{ checks: { ffmpeg: { message?: string } } }>('/ready');
    return reply.body.checks.ffmpeg.message?.includes('99.9') ? reply : undefined;
  });
  expect(ready).toMatchObject({
    status: 200,
    body: { checks: { ffmpeg: { message: expect.stringMatching(/99\.9.*Restart the service/) } } },
  });
  expect(await amy.request('/api/capabilities/codecs/alac')).toMatchObject({ status: 200 });
  expect((await amy.wait(await amy.accept(flac('known.mka')))).status).toBe('COMPLETED');
  expect(server.log()).not.toContain('"level":"error"');
}, 60_000);
