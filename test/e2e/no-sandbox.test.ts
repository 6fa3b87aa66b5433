import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadyView } from '../../packages/contract/src/wire/system.ts';
import { testFolder } from '../support/folders.ts';
import { putClip, putSample } from '../support/media.ts';
import { needs } from '../support/needs.ts';
import { probe } from '../support/probe.ts';
import { runCli } from '../support/run-cli.ts';
import { sampled } from '../support/sampled.ts';
import { seedCatalogues } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const start = sharedServer({ env: { TELECINE_SANDBOX: 'off', TELECINE_CONCURRENCY: '2' } });
const test = needs('ffmpeg').concurrent;

const VIEW = ['bwrap', '--dev-bind', '/', '/'];
/** Hides a program of this machine. */
const hide = (program: string): readonly string[] => ['--ro-bind', '/dev/null', program];
/** Landlock would take the place of bubblewrap. */
const WITHOUT_LANDLOCK = hide('/usr/bin/setpriv');

const without = (program: string): readonly string[] => [...VIEW, ...hide(program), ...WITHOUT_LANDLOCK];
/** Forbids user namespaces. */
const WITHOUT_NAMESPACES = [...VIEW, ...WITHOUT_LANDLOCK, '--unshare-user', '--disable-userns'];

const PLAIN: readonly (readonly [string, object, object])[] = [
  [
    'a movie',
    {
      input: 'movie.mp4',
      output: 'a.mp4',
      parameters: { 'c:v': 'libx264', preset: 'ultrafast', crf: '30', s: '320x180', r: '12', 'c:a': 'aac', t: '1' },
    },
    { codec_name: 'h264', width: 320, height: 180, avg_frame_rate: '12/1' },
  ],
  [
    'sound',
    { input: 'song.mp3', output: 'a.ogg', parameters: { 'c:a': 'libopus', 'b:a': '48k' } },
    { codec_name: 'opus' },
  ],
  [
    'two inputs and a map',
    { inputs: ['movie.mp4', 'song.mp3'], output: 'a.mkv', parameters: { map: ['0:v', '1:a'], c: 'copy' } },
    { codec_name: 'h264' },
  ],
  [
    'a movie by filters, two passes and parameters of the library',
    {
      input: 'movie.mp4',
      output: 'filtered.mp4',
      parameters: {
        ...{ vf: "crop=in_h:in_h,scale=96:96,drawbox=w='if(gt(t\\,1)\\,iw\\,0)'", 'b:v': '100k', pass: '2', t: '1' },
        ...{
          'c:v': 'libx264',
          preset: 'ultrafast',
          'x264-params': 'keyint=10',
          force_key_frames: 'expr:gte(t,n_forced)',
        },
      },
    },
    { codec_name: 'h264', width: 96, height: 96 },
  ],
];

let writtenInputs: Promise<unknown> | undefined;

test.for(PLAIN)('converts without a sandbox: %s', { tags: 'long' }, async ([, request, stream], { expect }) => {
  const { server, admin } = await start();
  // Write the files once: if each test wrote them, a test that runs at the same time could read a file that is just
  // truncated.
  writtenInputs ??= Promise.all([
    putClip(server.mediaRoot, '480p', 3, 'movie.mp4'),
    putSample(server.mediaRoot, 'mp3', 'song.mp3'),
  ]);
  await writtenInputs;
  const job = await admin.run(request);
  expect(job.error).toBeUndefined();
  expect((await probe(join(server.mediaRoot, String(job.output)))).streams[0]).toMatchObject(stream);
});

const REFUSED: readonly (readonly [name: string, value: string, code: string])[] = [
  ['vf', 'movie=/etc/passwd', 'FILTER_NOT_ALLOWED'],
  ['vf', 'subtitles=/etc/passwd', 'NOT_AN_INPUT'],
  ['af', 'volume=while(1\\,1)', 'BAD_EXPRESSION'],
  ['x264-params', 'stats=/tmp/x', 'OPTION_NOT_ALLOWED'],
  ['force_key_frames', 'expr:while(1,1)', 'BAD_EXPRESSION'],
  ['bsf:v', 'setts=pts=while(1\\,1)', 'BAD_EXPRESSION'],
  ['headers', 'x: y', 'OPTION_NOT_ALLOWED'],
  ['movflags', 'faststart(1)', 'BAD_VALUE'],
];

test.for(REFUSED)(
  'rejects %s "%s" also without a sandbox',
  { tags: 'long' },
  async ([name, value, code], { expect }) => {
    const { admin } = await start();
    const body = { input: 'movie.mp4', output: 'x.mp4', parameters: { 'c:v': 'libx264', [name]: value } };
    const answer = await admin.request('/api/conversion', { body });
    expect({ status: answer.status, errors: answer.body.errors }).toMatchObject({
      status: 400,
      errors: [{ field: `/parameters/${name}`, code }],
    });
  },
);

test('/ready reports a missing sandbox, and the log warns about it', async ({ expect }) => {
  const { server, admin } = await start();
  const ready = await admin.request<ReadyView>('/ready');
  expect(ready).toMatchObject({
    status: 200,
    body: { status: 'ready', checks: { sandbox: { status: 'ok', message: 'The sandbox is switched off.' } } },
  });
  expect(server.log()).toMatch(/without a sandbox/);
});

test('the doctor reports a missing sandbox', { tags: 'long' }, async ({ expect }) => {
  const folder = await testFolder('doctor');
  const settings = { TELECINE_DATA_DIR: join(folder, 'd'), TELECINE_MEDIA_ROOT: folder, TELECINE_SANDBOX: 'off' };
  const { code, stdout } = await runCli(['doctor'], settings);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^! sandbox +The sandbox is switched off\.\n +Set TELECINE_SANDBOX to auto or required\.$/m);
});

const BROKEN: readonly (readonly [string, readonly string[], RegExp, RegExp])[] = [
  ['bubblewrap is not installed', without('/usr/bin/bwrap'), /Not installed: bwrap/, /apt-get install bubblewrap/],
  ['prlimit is not installed', without('/usr/bin/prlimit'), /Not installed: .*prlimit/, /util-linux/],
  ['user namespaces are disabled', WITHOUT_NAMESPACES, /bubblewrap could not run ffmpeg/, /user namespaces/],
];

/**
 * The folders of a service, with the catalogue of ffmpeg, so that the service need not query ffmpeg under the launcher.
 */
async function folders(): Promise<{ readonly dataDir: string; readonly mediaRoot: string }> {
  const folder = await testFolder('broken');
  const created = { dataDir: join(folder, 'data'), mediaRoot: join(folder, 'media') };
  for (const path of Object.values(created)) await mkdir(path);
  await seedCatalogues(created.dataDir);
  return created;
}

const withSandbox = needs('ffmpeg', 'bubblewrap').concurrent;

withSandbox.for(sampled(BROKEN, 3))(
  'a sandbox that is required and %s: the service does not start, and says why',
  async ([, launcher, why, fix], { expect }) => {
    const { dataDir, mediaRoot } = await folders();
    const settings = {
      TELECINE_DATA_DIR: dataDir,
      TELECINE_MEDIA_ROOT: mediaRoot,
      TELECINE_SANDBOX: 'required',
      TELECINE_PORT: '0',
    };
    const { code, stdout, stderr } = await runCli(['serve'], settings, launcher);
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/The sandbox is required, but none works\./);
    expect(stdout + stderr).toMatch(why);
    expect(stdout + stderr).toMatch(fix);
    const doctor = await runCli(['doctor'], settings, launcher);
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/^✗ sandbox/m);
    expect(doctor.stdout).toMatch(fix);
  },
);

withSandbox.for(BROKEN)(
  'a sandbox that is wished for and %s: the service runs without, and says so',
  { tags: 'long' },
  async ([, launcher, why], { expect }) => {
    const { admin } = await sharedServer({ ...(await folders()), launcher })();
    const { body } = await admin.request<ReadyView>('/ready');
    expect(body).toMatchObject({ status: 'ready', checks: { sandbox: { message: expect.stringMatching(why) } } });
  },
);
