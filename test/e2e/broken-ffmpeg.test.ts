// @module-tag long
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { callRejectedTool, mcpClient } from '../support/mcp-client.ts';
import { putSmallMovie } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { sampled } from '../support/sampled.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('ffmpeg');

/** Encoders with an option that has to be looked up. Tests use each once, because what is known is not asked again. */
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

const BUSY = {
  status: 503,
  body: { code: 'UNAVAILABLE', detail: expect.stringMatching(/ffmpeg .*[Rr]etry in \d+ s/) },
};

test('an ffmpeg that hangs delays only what it has to be asked, and that is answered 503 in seconds', async () => {
  const { server, amy, bob, setMode, repair } = await serviceWithFfmpeg();
  const dryRun = '/api/conversion?dryRun=true';
  expect(await bob.request(dryRun, { body: aac('a.mka') })).toMatchObject({ status: 200 });
  await setMode('hang');
  const names = ['alac', 'wavpack', 'tta', 'dca', 'eac3', 'mp2', 'opus', 'vorbis', 'ac3', 'ffv1'];
  const attack = names.map((name) => amy.request(`/api/capabilities/codecs/${name}`));
  const begin = performance.now();
  expect(await bob.request(dryRun, { body: aac('b.mka') })).toMatchObject({ status: 200 });
  // A query that hangs is given up after 10 s.
  expect(performance.now() - begin).toBeLessThan(8000);
  expect(await bob.request(dryRun, { body: flac('c.mka') })).toMatchObject(BUSY);
  expect(performance.now() - begin).toBeLessThan(17_000);
  for (const reply of await Promise.all(attack)) expect(reply).toMatchObject(BUSY);
  // What has failed is not asked again.
  const again = performance.now();
  const reply = await amy.request(`/api/capabilities/codecs/${names[0]}`);
  expect(reply).toMatchObject(BUSY);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(performance.now() - again).toBeLessThan(8000);
  expect(server.log()).not.toContain('"level":"error"');

  await repair();
  await waitUntil('the build to be asked again', async () =>
    (await bob.request(dryRun, { body: flac('c.mka') })).status === 200 ? true : undefined,
  );
}, 120_000);

for (const mode of ['rubbish', 'crash'])
  test(`what an ffmpeg answers is not believed when it is broken: ${mode}`, async () => {
    const { server, amy, setMode, repair } = await serviceWithFfmpeg();
    await setMode(mode);
    // A filter of two inputs, because that of one is known from the lists of ffmpeg.
    const requests = ['codecs/alac', 'options?q=crf', 'filters/overlay'].map((path) => `/api/capabilities/${path}`);
    for (const reply of await Promise.all(requests.map((path) => amy.request(path)))) expect(reply).toMatchObject(BUSY);
    const client = await mcpClient(server.url, amy.token);
    const error = await callRejectedTool(client, 'convert_media', flac('mcp.mka'));
    expect(JSON.stringify(error)).toMatch(/ffmpeg .*[Rr]etry in \d+ s/);
    await repair();
    const answer = await waitUntil('ffmpeg to be asked again', async () => {
      const reply = await amy.request<{ encoderOptions?: readonly unknown[] }>(requests[0] ?? '');
      return reply.status === 200 ? reply.body : undefined;
    });
    expect(answer.encoderOptions).not.toEqual([]);
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

test('an ffmpeg that another version replaced runs what is known, and is asked nothing that would be saved', async () => {
  const { server, amy, replaceBy, putBack } = await serviceWithFfmpeg();
  expect(await amy.request('/api/conversion?dryRun=true', { body: aac('a.mka') })).toMatchObject({ status: 200 });
  const version = `[ "$*" = -version ] && { echo 'ffmpeg version 99.9 Copyright'; exit; }`;
  await replaceBy(`#!/bin/sh\n${version}\nexec '${tools().ffmpegPath}' "$@"\n`);
  const reply = await waitUntil('the other version to be known', async () => {
    const { status, body } = await amy.request('/api/capabilities/codecs/alac');
    return status === 503 && body.detail.includes('99.9') ? body : undefined;
  });
  expect(reply.detail).toMatch(/^The ffmpeg .* was replaced by version 99\.9 .*restart the service/);
  expect((await amy.wait(await amy.accept(aac('known.mka')))).status).toBe('COMPLETED');
  const ready = await amy.request<{ checks: { ffmpeg: object } }>('/ready');
  expect(ready).toMatchObject({
    status: 200,
    body: { checks: { ffmpeg: { message: expect.stringMatching(/99\.9.*Restart the service/) } } },
  });
  await putBack();
  expect(await amy.request('/api/capabilities/codecs/alac')).toMatchObject({ status: 200 });
  expect(server.log()).not.toContain('"level":"error"');
}, 60_000);
