// @module-tag long
import { execFile, execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { ReadCommand } from '../../packages/client/src/api.ts';
import { login } from '../support/api-client.ts';
import { commonServer } from '../support/common-server.ts';
import { makeMedia, showMedia } from '../support/decoded.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { needs } from '../support/needs.ts';
import { tools } from '../support/tools.ts';
import { FORUM_COMMANDS, type ForumCommand, type Made } from './forum-commands.ts';

const test = needs('ffmpeg');
const start = commonServer();
const run = promisify(execFile);

/** The largest difference of lengths, in seconds, and the smallest SSIM of a frame. */
const LIMITS = { seconds: 0.1, ssim: 0.98 };
const FRAMES = 10;
const TEXT = '1\n00:00:00,500 --> 00:00:02,000\nHello\n\n';

test.for(FORUM_COMMANDS.filter(({ rejected }) => rejected === undefined))(
  'a command that is read makes what ffmpeg makes of it: $from',
  async ({ command, files, seconds }) => {
    const { api, folder } = await visitor();
    const own = await testFolder('bare');
    await makeFiles(own, files);
    await cp(own, folder, { recursive: true });
    await runBare(own, command);
    const { body } = await api.request<ReadCommand>('/api/commands', { body: { command } });
    expect(body.errors).toEqual([]);
    const job = await api.run(body.request as object);
    expect(job, JSON.stringify(job.error)).toMatchObject({ status: 'COMPLETED' });
    const [expected, found] = await Promise.all([own, folder].map((one) => newFiles(one, files)));
    expect(found).toEqual(expected);
    expect(found).not.toEqual([]);
    for (const name of found ?? []) await expectAlike(join(folder, name), join(own, name), seconds);
  },
);

test.for(FORUM_COMMANDS.filter(({ rejected }) => rejected !== undefined))(
  'a command that is not read says why not: $from',
  async ({ command, files, rejected }) => {
    const { api, folder } = await visitor();
    await makeFiles(folder, files);
    const { status, body } = await api.request<ReadCommand>('/api/commands', { body: { command } });
    expect(status).toBe(200);
    expect(body.errors.map(({ message, fix }) => `${message} ${fix}`).join('\n')).toContain(rejected);
  },
);

let visitors = 0;

/** A client with a media root of its own: the commands name the same files. */
async function visitor() {
  const { server } = await start();
  visitors += 1;
  const name = `forum-${visitors}`;
  const credentials = await insertClient(server, name, { root: name });
  return { api: await login(server.url, credentials), folder: join(server.mediaRoot, name) };
}

async function makeFiles(folder: string, files: ForumCommand['files']): Promise<void> {
  for (const [at, [name, made]] of Object.entries(files).entries()) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    if (made.kind === 'subtitles') await writeSubtitles(folder, name);
    else await makeMedia(folder, ...madeBy(made, extname(name).toLowerCase(), at), name);
  }
}

async function writeSubtitles(folder: string, name: string): Promise<void> {
  await writeFile(join(folder, name), TEXT);
  if (extname(name) !== '.srt') await makeMedia(folder, '-f', 'srt', '-i', name, `as${extname(name)}`);
  if (extname(name) !== '.srt') await cp(join(folder, `as${extname(name)}`), join(folder, name));
}

/** The arguments that make an input. `at`: makes the inputs of a command differ. */
function madeBy({ kind, seconds = 3, size = '128x96', rate = 10 }: Made, extension: string, at: number) {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${rate}:d=${seconds},hue=h=${40 * at}`];
  const sound = ['-f', 'lavfi', '-i', `sine=f=${300 + 100 * at}:d=${seconds}`];
  if (kind === 'sound') return sound;
  if (kind === 'picture')
    return [...picture, '-frames:v', '1', '-pix_fmt', /^\.jpe?g$/.test(extension) ? 'yuvj420p' : 'rgb24'];
  const coded = ['.webm', '.avi'].includes(extension)
    ? ['-pix_fmt', 'yuv420p']
    : ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '10', '-pix_fmt', 'yuv420p'];
  const format = extension === '' ? ['-f', 'mp4'] : [];
  return [...picture, ...(kind === 'film' ? sound : []), ...coded, ...format];
}

/** Runs a command as its author would: in a shell, or as a list of arguments. */
async function runBare(folder: string, command: ForumCommand['command']): Promise<void> {
  const { ffmpegPath } = tools();
  if (typeof command !== 'string') {
    await run(ffmpegPath, ['-nostdin', '-y', ...command], { cwd: folder });
    return;
  }
  const text = command
    .replace(/^(?:C:\\Videos>|\$ )/, '')
    .replace(/^(?=-)/, 'ffmpeg ')
    .replaceAll('^\n', '\\\n');
  const ffmpeg = `ffmpeg() { "${ffmpegPath}" -nostdin -y "$@"; }`;
  await run('/bin/bash', ['-c', `${ffmpeg}\n${text}`], { cwd: folder, maxBuffer: 2 ** 26 });
}

async function newFiles(folder: string, files: ForumCommand['files']): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all
    .filter((one) => one.isFile() && !/\.log$|^as\./.test(one.name))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .filter((name) => !(name in files))
    .toSorted();
}

async function expectAlike(found: string, expected: string, seconds?: number): Promise<void> {
  const [one, other] = await Promise.all([found, expected].map(factsOf));
  expect(one?.streams).toEqual(other?.streams);
  expect(Math.abs((one?.seconds ?? 0) - (seconds ?? other?.seconds ?? 0))).toBeLessThan(LIMITS.seconds);
  if (other?.streams.some((stream) => stream.includes('video')) === true)
    expect(Math.min(...similarFrames(found, expected))).toBeGreaterThan(LIMITS.ssim);
}

async function factsOf(file: string) {
  const { streams, format } = await showMedia(file);
  return {
    streams: streams.map((stream) => {
      const { codec_type, codec_name, width, height, channels, sample_rate, r_frame_rate } = stream as Record<
        string,
        unknown
      > &
        typeof stream;
      return [codec_type, codec_name, width, height, channels, sample_rate, r_frame_rate].join(' ');
    }),
    seconds: Number(format.duration ?? 0),
  };
}

/** The similarity of about ten frames of two videos, in the colours that are seen. */
function similarFrames(file: string, other: string): readonly number[] {
  const count = ['-v', 'error', '-select_streams', 'v:0', '-count_packets', '-show_entries', 'stream=nb_read_packets'];
  const packets = execFileSync(tools().ffprobePath, [...count, '-of', 'csv=p=0', other], { encoding: 'utf8' });
  const step = Math.max(1, Math.ceil(Number.parseInt(packets, 10) / FRAMES));
  const some = `select=not(mod(n\\,${step})),settb=1/25,setpts=N,format=rgb24,format=yuv420p`;
  const graph = `[0:v:0]${some}[a];[1:v:0]${some}[b];[a][b]ssim=stats_file=-`;
  const args = [
    '-v',
    'error',
    '-nostdin',
    '-i',
    file,
    '-i',
    other,
    '-lavfi',
    graph,
    '-fps_mode',
    'passthrough',
    '-f',
    'null',
    '-',
  ];
  const lines = execFileSync(tools().ffmpegPath, args, { encoding: 'utf8' });
  return [...lines.matchAll(/All:([\d.]+)/g)].map(([, value]) => Number(value));
}
