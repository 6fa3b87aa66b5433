/**
 * `npm run bench:chunk-scale`: converts a video in chunks on many workers of this machine. Their ffmpeg encodes at most `--rate` seconds of
 * video per second, and the video is tiny, so that each worker is as fast as if it had a machine of its own: what is measured is how well
 * the chunks keep all workers busy. Options: `--workers 4,16`, `--minutes 30`, `--rate 6`, `--chunks 20` (seconds).
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findProgram } from '../packages/ffmpeg/src/catalogue/build.ts';
import { adminLogin, getJob, isFinal, must } from '../scripts/lib/api.ts';
import { samplePath } from '../scripts/lib/samples.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { bound } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';
import { startBenchWorker, waitForWorkers } from './support/worker.ts';

const { values: args } = parseArgs({
  options: {
    workers: { type: 'string', default: '4,16' },
    minutes: { type: 'string', default: '30' },
    rate: { type: 'string', default: '6' },
    chunks: { type: 'string', default: '20' },
  },
});
const [minutes, rate] = [Number(args.minutes), Number(args.rate)];
// All workers run on this machine, so `auto` would convert the video whole.
const chunks = { seconds: Number(args.chunks) };

const folder = benchFolder('chunk-scale');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = await startBenchPostgres(closers, folder);
await postgres.sql('create database chunks');
const bin = join(folder, 'bin');
const mediaRoot = join(folder, 'front/media');
for (const dir of [bin, mediaRoot]) mkdirSync(dir, { recursive: true });

/** Encodes quickly. */
const QUICK = {
  preset: 'placebo',
  'x264-params': 'subme=0:me=dia:ref=1:trellis=0:bframes=0:b-adapt=0:rc-lookahead=1:mbtree=0:partitions=none:8x8dct=0',
};

/** Puts an ffmpeg into `bin` that ends no sooner than its share of the video takes at `--rate`. (`-readrate` counts from the start of the file.) */
async function makeSlowFfmpeg(): Promise<string> {
  const [ffmpeg, ffprobe] = await Promise.all(
    ['ffmpeg', 'ffprobe'].map((name) => findProgram(name, undefined, process.env['PATH'] ?? '')),
  );
  if (ffmpeg === undefined || ffprobe === undefined) throw new Error('There is no ffmpeg. Install it: npm run setup');
  symlinkSync(ffprobe, join(bin, 'ffprobe'));
  const path = join(bin, 'ffmpeg');
  const script = `#!/bin/bash
[[ " $* " == *" -c:v libx264 "* ]] || exec '${ffmpeg}' "$@"
from=0 to=${minutes * 60}
[[ "$*" =~ trim=start=([0-9.]+) ]] && from=\${BASH_REMATCH[1]}
[[ "$*" =~ trim=[a-z0-9.=:]*end=([0-9.]+) ]] && to=\${BASH_REMATCH[1]}
begin=$EPOCHREALTIME
'${ffmpeg}' "$@" || exit
sleep "$(awk "BEGIN { left = ($to - $from) / ${rate} - ($EPOCHREALTIME - $begin); if (left < 0) left = 0; print left }")"
`;
  writeFileSync(path, script);
  chmodSync(path, 0o755);
  return path;
}

/** Writes the sample again and again, as one tiny video. */
function makeVideo(): void {
  const quiet = ['-v', 'error', '-nostdin', '-y'];
  const small = join(folder, 'small.mp4');
  const video = ['-vf', 'scale=96:54', '-c:v', 'libx264', '-preset', 'veryfast', '-g', '48'];
  execFileSync('ffmpeg', [...quiet, '-i', samplePath('480p'), ...video, '-c:a', 'aac', '-ac', '1', small]);
  const loops = String(minutes * 2 - 1);
  execFileSync('ffmpeg', [...quiet, '-stream_loop', loops, '-i', small, '-c', 'copy', join(mediaRoot, 'in.mp4')]);
}

const _slow = await makeSlowFfmpeg();
makeVideo();
const env = {
  PATH: `${bin}:${process.env['PATH']}`,
  TELECINE_SANDBOX: 'off',
  TELECINE_DATABASE_URL: postgres.url('chunks'),
  TELECINE_DATABASE_LISTEN_URL: postgres.url('chunks'),
};
const front = join(folder, 'front');
const { url, stop } = await startBenchService({
  folder: front,
  args: ['--no-worker'],
  env,
  until: 'listening',
});
closers.defer(stop);
const ideal = (minutes * 60) / rate;
let running = 0;
for (const count of args.workers.split(',').map(Number)) {
  for (; running < count; running++) {
    const own = join(folder, `worker-${running}`);
    await startBenchWorker(closers, { folder: own, mediaRoot, env });
  }
  await waitForWorkers(url, join(front, 'data'), count);
  const seconds = await convert(count);
  const share = ideal / count / seconds;
  console.log(
    `${count} workers: ${seconds.toFixed(1)} s; one alone needs at least ${ideal.toFixed(0)} s: ${(ideal / seconds).toFixed(2)} times faster`,
  );
  if (count > 1) bound(`share of ${count} times as fast`, share, '>=', count <= 16 ? 0.9 : 0.8);
}

async function convert(count: number): Promise<number> {
  const parameters = { 'c:v': 'libx264', ...QUICK, crf: '40', threads: '1', 'c:a': 'copy' };
  const body = { input: 'in.mp4', output: `out-${count}.mp4`, parameters, chunks: count === 1 ? 'off' : chunks };
  // The whole bench takes longer than a token is valid.
  const { accessToken: token } = await adminLogin(url, join(front, 'data'));
  const { jobId } = await must<{ jobId: string }>(`${url}/api/conversion`, { token, body });
  let total = 0;
  let job = await getJob(url, token, jobId);
  for (; !isFinal(job); job = await getJob(url, token, jobId)) {
    total = Math.max(total, job.encodedChunks?.total ?? 0);
    await sleep(500);
  }
  const isSplitAsSent = job.warnings === undefined && (count === 1 || total > 1);
  if (job.status !== 'COMPLETED' || !isSplitAsSent)
    throw new Error(`Job ${jobId}, ${total} chunks: ${JSON.stringify(job)}`);
  if (count > 1) console.log(`${total} chunks`);
  return (Date.parse(job.completedAt ?? '') - Date.parse(job.startedAt ?? '')) / 1000;
}
