import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command } from '../../scripts/setup/command.ts';
import type { AcceptedView } from '../../src/wire/accepted.ts';
import type { DryRunView } from '../../src/wire/dry-run.ts';
import type { JobView } from '../../src/wire/job.ts';
import type { WarningView } from '../../src/wire/warning.ts';
import { login } from '../support/api-client.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { callTool, mcpClient } from '../support/mcp-client.ts';
import { clip, putClip } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { sharedServer } from '../support/shared-server.ts';
import { tools } from '../support/tools.ts';

const start = sharedServer({ env: { TELECINE_CONCURRENCY: '2' } });
const test = needs('ffmpeg').concurrent;

/** A request whose options are legal, but of which one has no effect. */
const WARNED = { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90', an: '', t: '0.2', to: '0.4' };
const PLAIN = { 'c:v': 'libx264', preset: 'ultrafast', s: '160x90', an: '', t: '0.2' };

const codesOf = (warnings: readonly WarningView[] = []) => warnings.map(({ code }) => code);

async function ready(folder: string) {
  const { server, admin } = await start();
  const input = await putClip(server.mediaRoot, '480p', 3, `${folder}/in.mp4`);
  const submit = async (body: object, headers = {}) => {
    const { status, body: reply } = await admin.request<AcceptedView>('/api/conversion', { body, headers });
    if (status !== 202) throw new Error(JSON.stringify(reply));
    return reply;
  };
  const dryRun = async (body: object) =>
    (await admin.request<DryRunView>('/api/conversion?dryRun=true', { body })).body.warnings;
  return { server, admin, submit, dryRun, input, output: `${folder}/out.mp4` };
}

test('the 202, the dry run and the job give the same warnings about a request', async ({ expect }) => {
  const { admin, submit, dryRun, input, output } = await ready('same');
  const request = { input, output, parameters: WARNED };
  const expected = [{ field: '/parameters/to', code: 'NO_EFFECT', fix: 'Leave one of them out.' }];
  expect(await dryRun(request)).toMatchObject(expected);
  const accepted = await submit(request);
  expect(accepted.warnings).toMatchObject(expected);
  expect((await admin.wait(accepted.jobId)).warnings).toEqual(accepted.warnings);
  const { body } = await admin.request<AcceptedView>(`/api/conversion/${accepted.jobId}/retry`, { method: 'POST' });
  expect(codesOf(body.warnings)).toEqual(['NO_EFFECT', 'OUTPUT_EXISTS']);
});

test('a request without warnings gets a 202 of three fields, and its job has no warnings', async ({ expect }) => {
  const { admin, submit, input, output } = await ready('plain');
  const accepted = await submit({ input, output, parameters: PLAIN });
  expect(Object.keys(accepted)).toEqual(['jobId', 'status', 'message']);
  const job = await admin.wait(accepted.jobId);
  expect(job.status).toBe('COMPLETED');
  expect(job).not.toHaveProperty('warnings');
});

test('a request gets the same warnings the second time, with other paths', async ({ expect }) => {
  const { submit, input } = await ready('again');
  const first = await submit({ input, output: 'again/one.mp4', parameters: { ...WARNED, t: '0.3' } });
  const second = await submit({ input, output: 'again/two.mp4', parameters: { ...WARNED, t: '0.3' } });
  expect(first.warnings).toHaveLength(1);
  expect(second.warnings).toEqual(first.warnings);
});

test('a missing input and an existing output are warnings of the 202, but not of the job', async ({ expect }) => {
  const { server, admin, submit, output } = await ready('files');
  await writeFile(join(server.mediaRoot, output), 'precious');
  for (const parameters of [PLAIN, PLAIN, { ...PLAIN, y: '' }]) {
    const accepted = await submit({ input: 'files/nowhere.mp4', output, parameters });
    expect(codesOf(accepted.warnings)).toEqual(
      'y' in parameters ? ['INPUT_NOT_FOUND'] : ['INPUT_NOT_FOUND', 'OUTPUT_EXISTS'],
    );
    const job = await admin.wait(accepted.jobId);
    expect(job).toMatchObject({ status: 'FAILED', error: { code: 'INPUT_NOT_FOUND' } });
    expect(job).not.toHaveProperty('warnings');
  }
});

test('a wildcard is not warned about as a missing input', async ({ expect }) => {
  const { submit } = await ready('wildcard');
  for (const output of ['wildcard/1.mp4', 'wildcard/2.mp4']) {
    const parameters = { pattern_type: 'glob', framerate: '5', 'c:v': 'libx264', pix_fmt: 'yuv420p' };
    expect(await submit({ input: 'wildcard/*.png', output, parameters })).not.toHaveProperty('warnings');
  }
});

test('a repeated Idempotency-Key gets the warnings of its job', async ({ expect }) => {
  const { submit, input, output } = await ready('key');
  const send = () => submit({ input, output, parameters: WARNED }, { 'idempotency-key': 'warnings-1' });
  const first = await send();
  const again = await send();
  expect(again.jobId).toBe(first.jobId);
  expect(codesOf(again.warnings)).toEqual(codesOf(first.warnings));
});

test('MCP gives the warnings when the job is queued and when it is complete', async ({ expect }) => {
  const { server, admin, input, output } = await ready('mcp');
  const client = await mcpClient(server.url, admin.token);
  const args = { input, output, parameters: WARNED };
  const accepted = await callTool<JobView & { next: string }>(client, 'convert_media', args);
  expect(codesOf(accepted.warnings)).toEqual(['NO_EFFECT']);
  expect(accepted.next).toContain('warnings');
  await admin.wait(accepted.jobId);
  const job = await callTool<JobView & { next: string }>(client, 'get_job', { jobId: accepted.jobId });
  expect(job).toMatchObject({ status: 'COMPLETED', warnings: [{ code: 'NO_EFFECT' }] });
  expect(job.next).toContain('warnings');
});

/** Runs `telecine convert` with the options that are warned about and `flags`, as the new client `name`. */
async function convertByCli(name: string, ...flags: readonly string[]) {
  const { server } = await start();
  const credentials = await insertClient(server, name, { root: `${name}-cli` });
  const folder = await testFolder(name);
  await copyFile(await clip('480p', 3), join(folder, 'in.mp4'));
  const settings = {
    TELECINE_URL: server.url,
    TELECINE_CLIENT_ID: credentials.clientId,
    TELECINE_CLIENT_SECRET: credentials.clientSecret,
  };
  const options = Object.entries(WARNED).flatMap(([option, value]) => ['-p', `${option}=${value}`]);
  const files = [join(folder, 'in.mp4'), join(folder, 'out.mp4')];
  const result = await runCli(['convert', ...files, ...options, ...flags], settings);
  return { ...result, settings, api: await login(server.url, credentials) };
}

test('the command line prints each warning once, and shows it with the job', async ({ expect }) => {
  const { code, stderr, api, settings } = await convertByCli('warned', '--progress', 'lines');
  expect({ code, warnings: stderr.match(/^warning: .*$/gm) }).toEqual({
    code: 0,
    warnings: ['warning: "t" and "to" both set the end of the output; ffmpeg uses "t". Leave one of them out.'],
  });
  const [job] = (await api.list('?limit=1')).jobs;
  const { stdout } = await runCli(['jobs', 'show', job?.jobId ?? ''], settings);
  expect(stdout).toMatch(/^warning +"t" and "to" both set/m);
});

/** Media whose conversion ends otherwise than the request says. */
async function media(name: string, ...args: readonly string[]): Promise<string> {
  const { server } = await start();
  const { ok, text } = await command(tools().ffmpegPath, ['-v', 'error', '-y', ...args, join(server.mediaRoot, name)]);
  if (!ok) throw new Error(text);
  return name;
}
const FILM = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=4'];
const SOUND = ['-f', 'lavfi', '-i', 'sine=duration=4:sample_rate=44100'];
const CODECS = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'];

/** Runs a request whose job must complete. Returns the codes and the texts of its warnings. */
async function warningsOf(request: object): Promise<readonly WarningView[]> {
  const { admin } = await start();
  const job = await admin.run(request);
  if (job.status !== 'COMPLETED') throw new Error(JSON.stringify(job));
  return job.warnings ?? [];
}
const codesFor = async (request: object) => codesOf(await warningsOf(request));
const SMALL = { 'c:v': 'libx264', preset: 'ultrafast', pix_fmt: 'yuv420p' };

test('a damaged input is warned about, with the number of errors', async ({ expect }) => {
  const { server } = await start();
  const whole = await media('damage-whole.mp4', ...FILM, ...SOUND, ...CODECS);
  const bytes = await readFile(join(server.mediaRoot, whole));
  const from = bytes.indexOf('mdat') + 3000;
  for (let at = from; at < bytes.length * 0.8; at += 997) bytes[at] = 0xff;
  await writeFile(join(server.mediaRoot, 'damaged.mp4'), bytes);
  const warnings = await warningsOf({ input: 'damaged.mp4', output: 'damage.mp4', parameters: SMALL });
  expect(warnings).toMatchObject([{ code: 'DECODE_ERRORS', field: '/input' }]);
  expect(warnings[0]?.message).toMatch(/reported [1-9]\d* errors while it read "damaged\.mp4"/);
  expect(await codesFor({ input: whole, output: 'undamaged.mp4', parameters: SMALL })).toEqual([]);
});

test('an output that ends before its input, or before the requested end, is warned about', async ({ expect }) => {
  const { server } = await start();
  const whole = await media('short-whole.mp4', ...FILM, ...SOUND, ...CODECS, '-movflags', '+faststart');
  const bytes = await readFile(join(server.mediaRoot, whole));
  await writeFile(join(server.mediaRoot, 'cut.mp4'), bytes.subarray(0, bytes.length / 2));
  const cut = await codesFor({ input: 'cut.mp4', output: 'short.mp4', parameters: SMALL });
  expect(cut).toContain('SHORT_OUTPUT');
  const [asked, ...more] = await warningsOf({ input: whole, output: 'asked.mp4', parameters: { ...SMALL, t: '60' } });
  expect(more).toEqual([]);
  expect(asked?.message).toMatch(/^The output has 4(\.\d+)? s, but the request asks for 60 s/);
  expect(await codesFor({ input: whole, output: 'part.mp4', parameters: { ...SMALL, ss: '1', t: '2' } })).toEqual([]);
  const faster = { ...SMALL, vf: 'setpts=PTS/2', af: 'atempo=2' };
  expect(await codesFor({ input: whole, output: 'faster.mp4', parameters: faster })).toEqual([]);
});

test('an input of which nothing was used is warned about', async ({ expect }) => {
  await media('film.mp4', ...FILM, ...SOUND, '-ac', '2', ...CODECS);
  await media('mono.mp3', ...SOUND, '-ac', '1');
  const request = { inputs: ['film.mp4', 'mono.mp3'], output: 'joined.mp4', parameters: SMALL };
  expect(await warningsOf(request)).toMatchObject([{ field: '/inputs/1', code: 'UNUSED_INPUT' }]);
  const mapped = { ...request, output: 'mapped.mp4', parameters: { ...SMALL, map: ['0:v', '1:a'] } };
  expect(await codesFor(mapped)).toEqual([]);
});

test('a second sound track that ffmpeg leaves out is warned about', async ({ expect }) => {
  const tracks = await media(
    'tracks.mkv',
    ...FILM,
    ...SOUND,
    ...SOUND,
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    ...CODECS,
  );
  const [warning, ...more] = await warningsOf({ input: tracks, output: 'tracks.mp4', parameters: SMALL });
  expect(more).toEqual([]);
  expect(warning).toMatchObject({ field: '/input', code: 'UNUSED_STREAM', fix: expect.stringContaining('"0:a"') });
  const all = { ...SMALL, map: ['0:v', '0:a'] };
  expect(await codesFor({ input: tracks, output: 'all-tracks.mp4', parameters: all })).toEqual([]);
});

test('an option that nothing used is warned about', async ({ expect }) => {
  const film = await media('option.mp4', ...FILM, ...CODECS);
  const inputs = [{ input: film, parameters: { drc_scale: '1' } }];
  const [warning, ...more] = await warningsOf({ inputs, output: 'unused-option.mp4', parameters: SMALL });
  expect(more).toEqual([]);
  expect(warning).toMatchObject({ field: '/inputs/0/input', code: 'NO_EFFECT' });
  expect(warning?.message).toContain('"drc_scale"');
});

test('a sample rate that nobody asked for is warned about', async ({ expect }) => {
  const sound = await media('sound.wav', ...SOUND);
  const af = 'loudnorm=I=-16:TP=-1.5:LRA=11';
  const [warning] = await warningsOf({ input: sound, output: 'loud.wav', parameters: { af } });
  expect(warning).toMatchObject({ code: 'SAMPLE_RATE_CHANGED', fix: 'Send "ar": "44100" to keep the sample rate.' });
  expect(await codesFor({ input: sound, output: 'rate.wav', parameters: { af, ar: '44100' } })).toEqual([]);
  expect(await codesFor({ input: sound, output: 'voice.opus', parameters: {} })).toEqual([]);
});

test('a pixel format that most players cannot show is warned about', async ({ expect }) => {
  const picture = await media('picture.png', ...FILM, '-frames:v', '1', '-pix_fmt', 'rgb24');
  const parameters = { loop: '1', t: '1', 'c:v': 'libx264', preset: 'ultrafast' };
  const [warning, ...more] = await warningsOf({ input: picture, output: 'still.mp4', parameters });
  expect(more).toEqual([]);
  expect(warning).toMatchObject({ code: 'PIXEL_FORMAT_CHANGED', fix: 'Send "pix_fmt": "yuv420p".' });
  const fixed = { ...parameters, pix_fmt: 'yuv420p' };
  expect(await codesFor({ input: picture, output: 'shown.mp4', parameters: fixed })).toEqual([]);
});

test('many repeated frames are warned about, unless the request sets the frame rate', async ({ expect }) => {
  const pauses = ['-vf', "select='lt(mod(n,25),5)'", '-fps_mode', 'vfr'];
  const uneven = await media('uneven.mkv', ...FILM, ...pauses, ...CODECS);
  const parameters = { 'c:v': 'mpeg2video' };
  expect(await codesFor({ input: uneven, output: 'even.mpg', parameters })).toEqual(['FRAMES_REPEATED']);
  expect(await codesFor({ input: uneven, output: 'rate.mpg', parameters: { ...parameters, r: '25' } })).toEqual([]);
  expect(await codesFor({ input: uneven, output: 'vfr.mp4', parameters: { ...SMALL, fps_mode: 'vfr' } })).toEqual([]);
});

test('a film without an extension that becomes one picture is warned about', async ({ expect }) => {
  const { server } = await start();
  await copyFile(
    join(server.mediaRoot, await media('nameless.mp4', ...FILM, ...CODECS)),
    join(server.mediaRoot, 'nameless'),
  );
  expect(await codesFor({ input: 'nameless', output: 'last.png' })).toEqual(['LAST_FRAME']);
  expect(await codesFor({ input: 'nameless', output: 'first.png', parameters: { 'frames:v': '1' } })).toEqual([]);
});

test('a strict request with a warning is rejected with the code and the fix of the warning', async ({ expect }) => {
  const { admin, submit, input } = await ready('strict');
  const request = { input, output: 'strict/out.mp4', parameters: WARNED };
  // Plans are cached by shape: the first strict request comes after one that is not, and the second after a strict one.
  await submit(request);
  for (const path of ['/api/conversion', '/api/conversion', '/api/conversion?dryRun=true']) {
    const { status, body } = await admin.request(path, { body: { ...request, strict: true } });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        errors: [{ field: '/parameters/to', code: 'NO_EFFECT', fix: 'Leave one of them out.' }],
      },
    });
  }
  await submit({ ...request, strict: false });
});

test('a strict request may name a missing input and an existing output', async ({ expect }) => {
  const { server, submit } = await ready('strict-files');
  await writeFile(join(server.mediaRoot, 'strict-files/out.mp4'), 'precious');
  const request = { input: 'strict-files/nowhere.mp4', output: 'strict-files/out.mp4', parameters: PLAIN };
  const accepted = await submit({ ...request, strict: true });
  expect(codesOf(accepted.warnings)).toEqual(['INPUT_NOT_FOUND', 'OUTPUT_EXISTS']);
});

test('a strict job whose run has a warning fails and publishes nothing, and so does its retry', async ({ expect }) => {
  const { server, admin } = await start();
  const film = await media('strict.mp4', ...FILM, ...SOUND, ...CODECS);
  const request = { input: film, output: 'strict-run/out.mp4', parameters: { ...SMALL, t: '60' }, strict: true };
  const job = await admin.run(request);
  expect(job).toMatchObject({
    status: 'FAILED',
    strict: true,
    error: { code: 'STRICT_WARNING', message: expect.stringContaining('SHORT_OUTPUT') },
    warnings: [{ code: 'SHORT_OUTPUT' }],
  });
  await expect(stat(join(server.mediaRoot, request.output))).rejects.toThrow('ENOENT');
  const { body } = await admin.request<AcceptedView>(`/api/conversion/${job.jobId}/retry`, { method: 'POST' });
  expect((await admin.wait(body.jobId)).error?.code).toBe('STRICT_WARNING');
  const fine = await admin.run({ ...request, parameters: { ...SMALL, t: '2' } });
  expect(fine).toMatchObject({ status: 'COMPLETED', strict: true });
});

test('the command line has --strict', async ({ expect }) => {
  const { code, stderr, api } = await convertByCli('strict', '--strict');
  expect(code).not.toBe(0);
  expect(stderr).toContain('"t" and "to" both set the end of the output');
  expect((await api.list()).jobs).toEqual([]);
});
