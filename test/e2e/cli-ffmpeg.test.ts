import { copyFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliUsers } from '../support/cli-user.ts';
import { commonServer } from '../support/common-server.ts';
import { writePictures } from '../support/conversion-media.ts';
import { pathsBelow } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { probe } from '../support/probe.ts';
import { runCli, startCli } from '../support/run-cli.ts';

const test = needs('ffmpeg').concurrent;
const createUser = cliUsers(commonServer());
const FAST = ['-c:v', 'libx264', '-preset', 'ultrafast'];
const SRT = '1\n00:00:00,000 --> 00:00:02,000\nHello\n';

test('a command of ffmpeg runs on the service, and its outputs come to their names', async ({ expect }) => {
  const { run, cwd, root } = await createUser();
  await writeFile(join(cwd, 'my words.srt'), SRT);
  const graph = 'subtitles=my words.srt,scale=-2:90';
  const command = [
    '-hide_banner',
    '-ss',
    '1',
    '-i',
    'in.mp4',
    '-vf',
    graph,
    ...FAST,
    'a/small.mp4',
    '-vn',
    'b/sound.mp3',
  ];
  const { code, stdout, stderr } = await run('ffmpeg', ...command);
  expect(code, stderr).toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toMatch(
    /frame= *\d+ fps= *[\d.]+ Lsize= *\d+kB time=00:00:0[\d.]+ bitrate= *[\d.]+kbits\/s speed=\S+x? +\n/,
  );
  const [small, sound] = await Promise.all(['a/small.mp4', 'b/sound.mp3'].map((file) => probe(join(cwd, file))));
  expect(small?.streams[0]).toMatchObject({ codec_name: 'h264', height: 90 });
  expect(sound?.streams).toMatchObject([{ codec_name: 'mp3' }]);
  expect(await pathsBelow(join(root, 'cli'))).toEqual([]);
});

test('a filter may read the file that is the input', async ({ expect }) => {
  const { run, cwd } = await createUser();
  await writeFile(join(cwd, 'words.srt'), SRT);
  const film = await run('ffmpeg', '-i', 'in.mp4', '-i', 'words.srt', '-c', 'copy', '-c:s', 'srt', 'own.mkv');
  expect(film.code, film.stderr).toBe(0);
  const { code, stderr } = await run('ffmpeg', '-i', 'own.mkv', '-vf', 'subtitles=own.mkv', ...FAST, 'own.mp4');
  expect(code, stderr).toBe(0);
  expect((await probe(join(cwd, 'own.mp4'))).streams.map(({ codec_name }) => codec_name)).toContain('h264');
});

test('numbered images are the frames of a video', async ({ expect }) => {
  const { run, cwd } = await createUser();
  await writePictures(join(cwd, 'shot-%02d.png'), 3);
  const { code, stderr } = await run('ffmpeg', '-framerate', '3', '-i', 'shot-%02d.png', ...FAST, 'film.mp4');
  expect(code, stderr).toBe(0);
  expect((await probe(join(cwd, 'film.mp4'))).durationSeconds).toBeCloseTo(1, 1);
});

test('an output that exists is replaced with -y alone', async ({ expect }) => {
  const { run, cwd } = await createUser();
  await writeFile(join(cwd, 'out.mkv'), 'before');
  for (const flags of [[], ['-n'], ['-nostdin']]) {
    const { code, stderr } = await run('ffmpeg', ...flags, '-i', 'in.mp4', '-c', 'copy', 'out.mkv');
    expect([code, stderr]).toEqual([1, "error: File 'out.mkv' already exists. Exiting.\n"]);
  }
  const quiet = await run('ffmpeg', '-v', 'error', '-y', '-i', 'in.mp4', '-c', 'copy', 'out.mkv');
  expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' });
  expect((await stat(join(cwd, 'out.mkv'))).size).toBeGreaterThan(1000);
});

test('-progress writes for programs', async ({ expect }) => {
  const { run } = await createUser();
  const { code, stdout } = await run('ffmpeg', '-nostats', '-progress', '-', '-i', 'in.mp4', '-c', 'copy', 'out.mkv');
  expect(code).toBe(0);
  expect(stdout).toMatch(/out_time_us=\d+\nout_time=\d\d:\d\d:\d\d\.\d{6}\nspeed=\S+\nprogress=end\n$/);
});

test('what cannot be done ends with 1, and leaves no output', async ({ expect }) => {
  const { run, cwd } = await createUser();
  await copyFile(join(cwd, 'in.mp4'), join(cwd, '0.mp4'));
  const before = await readdir(cwd);
  for (const [message, ...command] of [
    ['"-" is not a file', '-i', '-', 'out.mp4'],
    ['"pipe:1" is not a file', '-i', 'in.mp4', '-f', 'mpegts', 'pipe:1'],
    ['"-f v4l2" is a device', '-f', 'v4l2', '-i', '/dev/video0', 'out.mp4'],
    ['is an address', '-i', 'in.mp4', '-f', 'flv', 'rtmp://127.0.0.1/live'],
    ['There is no file missing.mp4', '-y', '-i', 'missing.mp4', 'in.mp4'],
    ['"crf" of libx264 must be 0 to 51', '-i', 'in.mp4', '-crf', '99', 'out.mp4'],
    ['is an input and an output', '-y', '-i', 'in.mp4', '-c', 'copy', './in.mp4'],
    ['has no output', '-i', 'in.mp4'],
  ]) {
    const { code, stderr } = await run('ffmpeg', ...command);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message ?? '')]);
  }
  expect(await readdir(cwd)).toEqual(before);
});

test('SIGINT cancels the job and ends with 255', async ({ expect }) => {
  const { begin, api, cwd, root } = await createUser();
  const { child, ended } = begin('ffmpeg', '-stream_loop', '200', '-i', 'in.mp4', '-c:v', 'libx264', 'long.mp4');
  await expect.poll(async () => (await api.list()).jobs[0]?.status).toBe('PROCESSING');
  child.kill('SIGINT');
  expect((await ended).code).toBe(255);
  expect((await api.list()).jobs).toMatchObject([{ status: 'CANCELLED' }]);
  expect(await readdir(cwd)).toEqual(['in.mp4']);
  expect(await pathsBelow(join(root, 'cli'))).toEqual([]);
});

test('--local before the command converts without a service', async ({ expect }) => {
  const { cwd } = await createUser();
  const { code, stderr } = await startCli(['--local', 'ffmpeg', '-i', 'in.mp4', '-c', 'copy', 'out.mkv'], {}, { cwd })
    .ended;
  expect(code, stderr).toBe(0);
  expect((await probe(join(cwd, 'out.mkv'))).formats).toContain('matroska');
  await rm(join(cwd, 'out.mkv'));
});

test('a service that cannot be reached ends with 1, and help is of telecine', async ({ expect }) => {
  const { cwd } = await createUser();
  const unreachable = { TELECINE_URL: 'http://127.0.0.1:1', TELECINE_CLIENT_ID: 'a', TELECINE_CLIENT_SECRET: 'b' };
  expect((await runCli(['ffmpeg', '-i', join(cwd, 'in.mp4'), join(cwd, 'out.mkv')], unreachable)).code).toBe(1);
  expect((await runCli(['ffmpeg', '--help'], {})).stdout).toContain('telecine --local ffmpeg');
});
