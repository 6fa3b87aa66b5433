/**
 * `npm run bench:chunk-times`: records how long the steps of a conversion in chunks take on one core: listing the frames of 1080p, encoding
 * its pieces and its audio, and joining. Writes `test/fixtures/chunk-times.json`, by which `test/unit/chunk-scale.test.ts` simulates up to
 * 64 workers. What a chunk takes besides its frames is what the estimates assume; `bench:chunks` measures its processor time.
 */
import { execFile } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { samplePath } from '../scripts/lib/samples.ts';
import type { ChunkTimes } from '../test/support/simulated-workers.ts';
import { benchFolder, printMachine } from './support/machine.ts';

const FIXTURE = resolve(import.meta.dirname, '../test/fixtures/chunk-times.json');
const PIECE_SECONDS = 5;
/** The length of the samples. */
const SAMPLE_SECONDS = 30;
/** So many minutes of video are listed, joined and encoded to audio. */
const LOOPS = 60;
/** See `estimate/chunk-gain.ts`. */
const START_SECONDS = 0.3;
/** As in `bench:chunks`. */
const X264 = ['-c:v', 'libx264', '-preset', 'medium', '-crf', '23', '-threads', '1'];

const folder = benchFolder('chunk-times');
printMachine(folder);

/** Runs a program on the first core. Resolves to the seconds that it took. */
async function secondsOf(program: 'ffmpeg' | 'ffprobe', ...args: readonly string[]): Promise<number> {
  const begun = performance.now();
  const command = ['--cpu-list', '0', program, '-v', 'error', ...args];
  await promisify(execFile)('taskset', command, { cwd: folder, maxBuffer: 2 ** 30 });
  return (performance.now() - begun) / 1000;
}

const encodeSeconds: number[] = [];
let outputBytes = 0;
for (const sample of ['1080p', '1080p60'] as const)
  for (let from = 0; from + PIECE_SECONDS <= SAMPLE_SECONDS; from += PIECE_SECONDS) {
    const part = ['-ss', `${from}`, '-t', `${PIECE_SECONDS}`, '-i', samplePath(sample), '-an', '-r', '24'];
    const seconds = await secondsOf('ffmpeg', '-y', ...part, ...X264, 'piece.mp4');
    encodeSeconds.push(Number((seconds / PIECE_SECONDS).toFixed(3)));
    outputBytes += (await stat(join(folder, 'piece.mp4'))).size;
    console.log(`${sample} from ${from} s: ${seconds.toFixed(2)} s`);
  }

await secondsOf('ffmpeg', '-stream_loop', `${LOOPS - 1}`, '-i', samplePath('1080p'), '-c', 'copy', 'long.mp4');
const bytes = (await stat(join(folder, 'long.mp4'))).size;
const seconds = LOOPS * SAMPLE_SECONDS;
const listing = await secondsOf(
  'ffprobe',
  ...['-show_entries', 'packet=codec_type,stream_index,pts,dts,duration,size,pos,flags', '-of', 'compact', 'long.mp4'],
);
await writeFile(join(folder, 'list.txt'), "file 'long.mp4'\n");
const joining = await secondsOf('ffmpeg', '-f', 'concat', '-i', 'list.txt', '-c', 'copy', 'joined.mp4');
const audio = await secondsOf('ffmpeg', '-i', 'long.mp4', '-vn', '-c:a', 'aac', 'audio.m4a');

const times: ChunkTimes = {
  encodeSeconds,
  pieceSeconds: PIECE_SECONDS,
  startSeconds: START_SECONDS,
  audioSeconds: Number((audio / seconds).toFixed(4)),
  listedBytesPerSecond: Math.round(bytes / listing),
  joinedBytesPerSecond: Math.round(bytes / joining),
  inputBytesPerSecond: Math.round(bytes / seconds),
  outputBytesPerSecond: Math.round(outputBytes / (encodeSeconds.length * PIECE_SECONDS)),
};
console.log(times);
const from = '"npm run bench:chunk-times" has recorded this: x264 medium crf 23 on one core, 1080p.';
// As the formatter wants it.
const inOneLine = (list: string): string => `[${list.slice(1, -1).trim().replaceAll(/\s+/g, ' ')}]`;
const text = JSON.stringify({ from, times }, undefined, 2).replace(/\[[^\]]*\]/, inOneLine);
await writeFile(FIXTURE, `${text}\n`);
