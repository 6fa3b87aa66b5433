import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DryRunView } from '../../packages/contract/src/wire/dry-run.ts';
import type { RecipeListView } from '../../packages/contract/src/wire/recipe.ts';
import { adminClient } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';
import { tools } from '../support/tools.ts';

const test = needs('ffmpeg');
const startPlain = commonServer();

/** The name of a model with every character that means something in a filtergraph. */
const MODEL = "it's a,model:[1];\\ggml.bin";

/**
 * The settings of a service whose ffmpeg pretends to have whisper, because no machine of the tests has it. Without a sandbox, which does
 * not show the shell that runs the script.
 */
async function settings(model?: string) {
  const folder = await testFolder('whisper');
  const script = await readFile(new URL('../fixtures/ffmpeg-with-whisper.sh', import.meta.url), 'utf8');
  const { ffmpegPath, ffprobePath } = tools();
  const path = join(folder, 'ffmpeg');
  await writeFile(path, script.replaceAll(/^(\s*(?:exec )?)REAL_FFMPEG/gm, `$1${ffmpegPath}`), { mode: 0o755 });
  if (model !== undefined) await writeFile(join(folder, model), 'from the model');
  return {
    FFMPEG_PATH: path,
    FFPROBE_PATH: ffprobePath ?? '',
    TELECINE_SANDBOX: 'off',
    ...(model !== undefined && { TELECINE_WHISPER_MODEL: join(folder, model) }),
  };
}

const put = (root: string): void => {
  const make = (...args: readonly string[]) =>
    execFileSync(tools().ffmpegPath, ['-v', 'error', '-nostdin', '-y', ...args], { cwd: root });
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=3'];
  make(...picture, '-f', 'lavfi', '-i', 'sine=d=3', '-c:v', 'libx264', '-c:a', 'aac', 'talk.mp4');
  make(...picture, '-c:v', 'libx264', 'mute.mp4');
};

async function start(model?: string) {
  const env = await settings(model);
  const server = await startServer({ env });
  await server.media.fill(async (root) => put(root));
  return { server, admin: await adminClient(server), env };
}

test('speech becomes captions: as files, in films, by the recipe, and after a restart', { tags: 'long' }, async ({
  expect,
}) => {
  const { server, admin, env } = await start(MODEL);
  const text = async (path: string) => String((await admin.request<string>(`/api/files/${path}`)).body);

  const dry = await admin.request<DryRunView>('/api/conversion?dryRun=true', {
    body: { input: 'talk.mp4', output: 'dry.srt', transcribe: { language: 'en' } },
  });
  expect(dry.body).toMatchObject({ plan: { passes: 1 }, warnings: [] });
  expect(dry.body.argv.map((argv) => argv.join(' '))).toEqual([
    expect.stringMatching(/^ffmpeg .*whisper=model=in\/speech-model\.bin:language=en:.* -f null -$/),
    expect.stringMatching(/^ffmpeg .* file:pass\/speech\.srt .*-map 1:s:0 -f srt file:out\/dry\.srt$/),
  ]);

  const done = await admin.run({ input: 'talk.mp4', output: 'talk.srt', transcribe: { language: 'en' } });
  expect(done).toMatchObject({ status: 'COMPLETED', transcribe: { language: 'en' } });
  expect(done.warnings).toBeUndefined();
  expect(await text('talk.srt')).toBe('1\n00:00:00,500 --> 00:00:01,750\nen from the model\n\n');

  const preset = (language: string) => ({ name: 'captions-from-speech', arguments: { language } });
  expect(await admin.run({ input: 'talk.mp4', output: 'talk.vtt', preset: preset('de') })).toMatchObject({
    status: 'COMPLETED',
  });
  expect(await text('talk.vtt')).toBe('WEBVTT\n\n00:00.500 --> 00:01.750\nde from the model\n');

  const film = await admin.run({ input: 'talk.mp4', output: 'talk.mkv', preset: preset('auto') });
  const streams = (film.outputs?.[0]?.streams ?? []).map(({ type, codec }) => `${type} ${codec}`);
  expect(film.warnings).toBeUndefined();
  expect(streams).toEqual(['video h264', 'audio aac', expect.stringMatching(/^subtitle (?:subrip|srt)/)]);

  const both = await admin.run({
    input: 'talk.mp4',
    transcribe: {},
    parameters: { c: 'copy' },
    outputs: [{ output: 'web/talk.mp4' }, { output: 'web/talk.vtt', parameters: { c: 'webvtt' } }],
  });
  expect(both, JSON.stringify(both.error)).toMatchObject({ status: 'COMPLETED' });
  expect(both.outputs?.[0]?.streams?.map(({ codec }) => codec)).toEqual(['h264', 'aac', 'mov_text']);

  const silent = await admin.run({ input: 'talk.mp4', output: 'la.srt', transcribe: { language: 'la' } });
  expect(silent).toMatchObject({
    status: 'FAILED',
    error: { code: 'INPUT_INVALID', message: expect.stringContaining('No speech') },
  });

  const mute = { input: 'mute.mp4', output: 'x.srt', transcribe: {} };
  expect(await admin.request('/api/conversion?dryRun=true', { body: mute })).toMatchObject({
    status: 400,
    body: { errors: [{ field: '/input', code: 'NO_SOUND' }] },
  });
  const { error } = await admin.run(mute);
  expect(error).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('has no audio') });

  const rejected = (body: object) => admin.request('/api/conversion', { body });
  expect(await rejected({ input: 'talk.mp4', output: 'x.srt', transcribe: { language: 'english' } })).toMatchObject({
    status: 400,
    body: { errors: [{ field: '/transcribe/language' }] },
  });
  expect(await rejected({ input: 'talk.mp4', output: 'x.srt', preset: preset("en':x") })).toMatchObject({
    status: 400,
    body: { errors: [{ field: '/preset/arguments/language', code: 'BAD_ARGUMENT' }] },
  });
  const key = { headers: { 'idempotency-key': 'captions-1' } };
  const once = (language: string) =>
    admin.request('/api/conversion', {
      ...key,
      body: { input: 'late.mp4', output: 'late.srt', transcribe: { language } },
    });
  expect([(await once('en')).status, (await once('en')).status, (await once('de')).status]).toEqual([202, 202, 409]);

  const found = await admin.request<RecipeListView>('/api/recipes?q=transcribe+a+meeting');
  expect(found.body.recipes[0]).toMatchObject({ name: 'captions-from-speech' });
  expect(found.body.recipes[0]).not.toHaveProperty('unavailable');

  await admin.request('/api/queue/pause', { method: 'POST' });
  const jobId = await admin.accept({ input: 'talk.mp4', output: 'again.srt', transcribe: { language: 'fr' } });
  await server.stop();
  const again = await startServer({ env, dataDir: server.dataDir, mediaRoot: server.mediaRoot });
  const later = await adminClient(again);
  await later.request('/api/queue/resume', { method: 'POST' });
  expect(await later.wait(jobId)).toMatchObject({ status: 'COMPLETED', transcribe: { language: 'fr' } });
});

test('without a model, requests and recipes say what the operator has to do', { tags: 'long' }, async ({ expect }) => {
  const { admin, env } = await start();
  const body = { input: 'talk.mp4', output: 'talk.srt', preset: { name: 'captions-from-speech' } };
  expect(await admin.request('/api/conversion', { body })).toMatchObject({
    status: 400,
    body: { errors: [{ code: 'NEEDS_SPEECH', fix: expect.stringContaining('TELECINE_WHISPER_MODEL') }] },
  });
  const recipe = await admin.request<{ unavailable?: string }>('/api/recipes/captions-from-speech');
  expect(recipe.body.unavailable).toMatch(/need a model.*TELECINE_WHISPER_MODEL/);
  const doctor = await runCli(['doctor'], { ...env, TELECINE_WHISPER_MODEL: '/nowhere/ggml.bin' });
  expect(doctor.stdout).toMatch(/speech\s.*\/nowhere\/ggml\.bin is not a file that this user can read/);
});

test('without the filter, they name the build that it needs', async ({ expect }) => {
  const { own } = await startPlain();
  const recipe = await own.request<{ unavailable?: string }>('/api/recipes/captions-from-speech');
  expect(recipe.body.unavailable).toMatch(/filter "whisper" of ffmpeg 8.*--enable-whisper/);
  const filter = await own.request('/api/capabilities/filters/whisper');
  expect(filter).toMatchObject({ status: 404, body: { detail: expect.stringContaining('--enable-whisper') } });
});
