/**
 * `npm run bench:chunks`: converts two minutes of 1080p with x264 on one thread, in turns: without chunks on one worker, and in
 * chunks of ten seconds on two workers with a core each. The processor time that a chunk adds is the difference between many and few
 * chunks of a small video on one worker, so that what each job in chunks costs (the index of the input, the audio, the join) does not count.
 *
 * A ladder per title of the large video is converted on one worker and in chunks on two. One worker searches its rungs.
 *
 * Each round also measures what the machine allows: two busy cores share caches and memory, and those of a virtual machine are often two
 * threads of one core.
 *
 * Options: `--rounds 1`.
 */
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { adminLogin, getJob, isFinal, must } from '../scripts/lib/api.ts';
import { type Sample, samplePath } from '../scripts/lib/samples.ts';
import { startBenchPostgres } from './support/bench-postgres.ts';
import { bound, median, spread } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { startBenchService } from './support/service.ts';
import { type BenchWorker, startBenchWorker, waitForWorkers } from './support/worker.ts';

const { values: args } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const ROUNDS = Number(args.rounds);
const CHUNK_SECONDS = 5;
/** "auto" would run two minutes whole. */
const SHARED_CHUNK_SECONDS = 10;
/** Few chunks: five of the small video. */
const LONG_CHUNK_SECONDS = 60;

const REQUEST = {
  format: 'mp4',
  // One thread: the whole video then uses one core, as a chunk does.
  parameters: { 'c:v': 'libx264', preset: 'medium', crf: '23', threads: '1', 'c:a': 'aac' },
};

/** A ladder per title. Its segments have four seconds. */
const LADDER = {
  parameters: {
    'c:v': 'libx264',
    preset: 'medium',
    threads: '1',
    hls_time: '4',
    hls_segment_type: 'fmp4',
    'c:a': 'aac',
  },
  ladder: { target: 0.98 },
};

const folder = benchFolder('chunks');
printMachine(folder);
await using closers = new AsyncDisposableStack();
const postgres = await startBenchPostgres(closers, folder);
await postgres.sql('create database chunks');
const env = {
  TELECINE_DATABASE_URL: postgres.url('chunks'),
  TELECINE_DATABASE_LISTEN_URL: postgres.url('chunks'),
};
const mediaRoot = join(folder, 'front/media');

/** Repeats a sample, as one video with a key frame every second or so. */
function makeVideo(sample: Sample, name: string, size: string, seconds: number): void {
  const video = ['-vf', `scale=${size}`, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-g', '24'];
  mkdirSync(mediaRoot, { recursive: true });
  execFileSync('ffmpeg', [
    ...['-v', 'error', '-nostdin', '-stream_loop', '-1', '-i', samplePath(sample), '-t', `${seconds}`],
    ...[...video, '-c:a', 'aac', join(mediaRoot, name)],
  ]);
}

const LARGE = 'large.mp4';
const LARGE_SECONDS = 120;
const SMALL = 'small.mp4';
/** Small and long: an encode of it is short beside what its chunks cost, and so is the noise. */
const SMALL_SECONDS = 300;
makeVideo('1080p', LARGE, '1920:1080', LARGE_SECONDS);
makeVideo('480p', SMALL, '160:90', SMALL_SECONDS);
/** Starts a worker with one slot on one core. */
const startWorker = (core: number): Promise<BenchWorker> =>
  startBenchWorker(closers, { folder: join(folder, `worker-${core}`), mediaRoot, env, core });

const CLOCK_TICKS_A_SECOND = 100;

/** The seconds of processor time of a worker, with all programs that it started and that have ended. */
function processorSeconds({ child }: BenchWorker): number {
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8');
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return times.reduce((sum, ticks) => sum + Number(ticks), 0) / CLOCK_TICKS_A_SECOND;
}

interface Conversion {
  readonly seconds: number;
  readonly processor: number;
  readonly chunks: number;
}

const first = await startWorker(0);
const front = join(folder, 'front');
const { url, stop } = await startBenchService({ folder: front, args: ['--no-worker'], env });
closers.defer(stop);

interface Side {
  readonly input: string;
  readonly output: string;
  readonly chunks: { readonly seconds: number } | 'off';
  readonly workers: readonly BenchWorker[];
  readonly request?: object;
}

/** Converts a video. The time is that from the start to the end of the job. */
async function convert({ input, output, chunks, workers, request = REQUEST }: Side): Promise<Conversion> {
  const before = workers.map(processorSeconds);
  // The whole bench takes longer than a token is valid.
  const { accessToken: token } = await adminLogin(url, join(front, 'data'));
  const body = { ...request, input, output, chunks };
  const { jobId } = await must<{ jobId: string }>(`${url}/api/conversion`, { token, body });
  let count = 0;
  let job = await getJob(url, token, jobId);
  for (; !isFinal(job); job = await getJob(url, token, jobId)) {
    count = Math.max(count, job.encodedChunks?.total ?? 0);
    await sleep(250);
  }
  // Fail if the video ran whole: the figures of a whole conversion say nothing about chunks.
  const isSplitAsSent = chunks === 'off' ? count === 0 : count > 1 && job.warnings === undefined;
  if (job.status !== 'COMPLETED' || !isSplitAsSent)
    throw new Error(`Job ${jobId}, ${count} chunks: ${JSON.stringify(job)}`);
  // Let the workers remove the files of the job.
  await sleep(500);
  const processor = workers.reduce((sum, worker, i) => sum + processorSeconds(worker) - (before[i] ?? 0), 0);
  const seconds = (Date.parse(job.completedAt ?? '') - Date.parse(job.startedAt ?? '')) / 1000;
  console.log(`${output}: ${seconds.toFixed(2)} s, processor ${processor.toFixed(2)} s`);
  return { seconds, processor, chunks: count };
}

/** So many seconds of the large video tell how much two busy cores slow each other down. */
const MACHINE_SECONDS = 30;

/** Encodes the beginning of the large video by ffmpeg alone, with the options of the request. Resolves to its seconds of processor time. */
async function encodeAlone(core: number): Promise<number> {
  const options = Object.entries(REQUEST.parameters).flatMap(([name, value]) => [`-${name}`, value]);
  const input = ['-t', `${MACHINE_SECONDS}`, '-threads', '1', '-i', join(mediaRoot, LARGE)];
  const command = ['ffmpeg', '-hide_banner', '-nostdin', '-benchmark', ...input, ...options, '-f', 'null', '-'];
  const { stderr } = await promisify(execFile)('taskset', ['--cpu-list', `${core}`, ...command]);
  const [, user, system] = /utime=([\d.]+)s stime=([\d.]+)s/.exec(stderr) ?? [];
  return Number(user) + Number(system);
}

/** How much faster two cores of this machine are than one, if nothing is lost. */
async function measureMachine(): Promise<number> {
  const alone = await encodeAlone(0);
  const both = await Promise.all([encodeAlone(0), encodeAlone(1)]);
  console.log(
    `ffmpeg alone: processor ${alone.toFixed(2)} s, on both cores at once ${both.map((s) => s.toFixed(2)).join(' and ')} s`,
  );
  return both.reduce((sum, seconds) => sum + alone / seconds, 0);
}

const SIDES = {
  whole: 'no chunks, one worker',
  two: 'chunks, two workers',
  wholeLadder: 'a ladder per title, no chunks, one worker',
  twoLadder: 'a ladder per title, chunks, two workers',
  few: 'few chunks of the small video, one worker',
  many: 'many chunks of the small video, one worker',
} as const;
/** So many times the small video per round: the difference between its two sides is small beside the noise. */
const PAIRS = 3;
const results: Readonly<Record<keyof typeof SIDES, Conversion[]>> = {
  ...{ whole: [], two: [], wholeLadder: [], twoLadder: [], few: [], many: [] },
};
const machine: number[] = [];
const chunks = { seconds: CHUNK_SECONDS };
const longChunks = { seconds: LONG_CHUNK_SECONDS };
for (let i = 0; i < ROUNDS; i++) {
  const alone = { workers: [first] };
  for (let pair = 0; pair < PAIRS; pair++) {
    const name = `${i}-${pair}`;
    results.few.push(await convert({ ...alone, input: SMALL, output: `${name}-few.mp4`, chunks: longChunks }));
    results.many.push(await convert({ ...alone, input: SMALL, output: `${name}-many.mp4`, chunks }));
  }
  results.whole.push(await convert({ ...alone, input: LARGE, output: `${i}-whole.mp4`, chunks: 'off' }));
  const ladder = { input: LARGE, request: LADDER };
  results.wholeLadder.push(await convert({ ...alone, ...ladder, output: `${i}-whole/master.m3u8`, chunks: 'off' }));
  const second = await startWorker(1);
  // The worker takes tickets once it has reported.
  await waitForWorkers(url, join(front, 'data'), 2);
  const workers = [first, second];
  results.two.push(
    await convert({ input: LARGE, output: `${i}-two.mp4`, chunks: { seconds: SHARED_CHUNK_SECONDS }, workers }),
  );
  const shared = { chunks: { seconds: SHARED_CHUNK_SECONDS }, workers };
  results.twoLadder.push(await convert({ ...ladder, ...shared, output: `${i}-two/master.m3u8` }));
  await second.stop();
  machine.push(await measureMachine());
}

for (const [side, name] of Object.entries(SIDES) as [keyof typeof SIDES, string][]) {
  const conversions = results[side];
  const values = (of: (conversion: Conversion) => number): string => spread(conversions.map(of), 2);
  const count = median(conversions.map((conversion) => conversion.chunks));
  console.log(
    `${name.padEnd(42)} ${values((c) => c.seconds)} s, processor ${values((c) => c.processor)} s${count > 0 ? `, ${count} chunks with that of the audio` : ''}`,
  );
}
console.log(`two cores of this machine are ${spread(machine, 2)} times as fast as one`);
bound(
  'in chunks on two workers, times as fast as without on one',
  results.whole.map(({ seconds }, i) => seconds / (results.two[i]?.seconds ?? Number.NaN)),
  '>=',
  1.8,
);
bound(
  'a ladder per title in chunks on two workers, times as fast as without on one',
  results.wholeLadder.map(({ seconds }, i) => seconds / (results.twoLadder[i]?.seconds ?? Number.NaN)),
  '>=',
  1.6,
);
bound(
  'milliseconds of processor time that a chunk adds',
  results.few.map((few, i) => {
    const many = results.many[i] ?? few;
    return ((many.processor - few.processor) * 1000) / (many.chunks - few.chunks);
  }),
  '<=',
  150,
  0,
);
