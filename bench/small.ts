/**
 * `npm run bench:small`: measures the overhead of the service per job. Compares small jobs in its sandbox with the same ffmpeg commands
 * under `xargs -P` with the same parallelism: once without wrappers, and once with the wrappers of the service (nice, bwrap, prlimit,
 * timeout), which is the minimum for any service with these wrappers. Also runs a bare worker (bare-worker.ts). Its processor time is the
 * minimum for any durable service of Node. All take turns.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DryRunView } from '../packages/contract/src/wire/dry-run.ts';
import { getJob, isFinal, must } from '../scripts/lib/api.ts';
import { copySample } from '../scripts/lib/samples.ts';
import { bound, spread } from './support/figures.ts';
import { loopDelay } from './support/loop-delay.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { cpuSeconds } from './support/processes.ts';
import { type BenchService, startBenchService } from './support/service.ts';
import { startBareWorker } from './support/start-bare-worker.ts';
import { wrappedCommand } from './support/wrapped-command.ts';

const BLOCKS = 5;
/** The number of blocks in which the delay of the event loop is measured. */
const DELAY_BLOCKS = 3;
const PARALLEL = 2;
const POLL_MS = 250;

interface Workload {
  readonly name: string;
  /** The number of jobs in one block. */
  readonly count: number;
  readonly extension: string;
  readonly request: object;
}

/** Scales one frame, which takes about 80 ms. */
const THUMBNAIL: Workload = {
  name: 'thumbnails',
  count: 40,
  extension: 'jpg',
  request: {
    inputs: [{ input: 'in.mp4', parameters: { ss: '5', threads: '1' } }],
    parameters: { 'frames:v': '1', vf: 'scale=320:-2', threads: '1', update: '1' },
  },
};

/** A conversion that takes about a quarter of a second in one thread. */
const CONVERSION: Workload = {
  name: 'conversions',
  count: 16,
  extension: 'mp4',
  request: {
    inputs: [{ input: 'in.mp4', parameters: { threads: '1' } }],
    parameters: { t: '4', 'c:v': 'libx264', preset: 'ultrafast', threads: '1', an: '' },
  },
};

interface Block {
  /** The wall time of the whole block. */
  readonly seconds: number;
  /** The processor time of the service process per job, without the processor time of ffmpeg. */
  readonly cpuMs: number;
}

const folder = benchFolder('small');
printMachine(folder);
const input = await copySample('480p', join(folder, 'media/in.mp4'));
const delays = loopDelay(folder);
const service = await startBenchService({
  folder,
  nodeArgs: delays.nodeArgs,
  env: { ...delays.env, TELECINE_CONCURRENCY: String(PARALLEL), TELECINE_SANDBOX: 'required' },
});

const bareWorker = startBareWorker(join(folder, 'bare-worker'), input, PARALLEL);

/** Measures one block, from the first submission to the end of the last job, as the jobs report it. */
async function serviceBlock({ url, token, pid }: BenchService, work: Workload, block: number): Promise<Block> {
  const api = `${url}/api/conversion`;
  const cpuBefore = cpuSeconds(pid);
  const start = performance.timeOrigin + performance.now();
  const jobIds: string[] = [];
  for (let i = 0; i < work.count; i++) {
    const body = { ...work.request, output: `${work.name}/${block}-${i}.${work.extension}` };
    jobIds.push((await must<{ jobId: string }>(api, { token, body })).jobId);
  }
  while (!isFinal(await getJob(url, token, jobIds.at(-1) ?? ''))) await sleep(POLL_MS);
  const cpuMs = ((cpuSeconds(pid) - cpuBefore) * 1000) / work.count;
  let end = start;
  for (const jobId of jobIds) {
    let job = await getJob(url, token, jobId);
    for (; !isFinal(job); job = await getJob(url, token, jobId)) await sleep(POLL_MS);
    if (job.status !== 'COMPLETED') throw new Error(`Job ${jobId}: ${JSON.stringify(job.error)}`);
    end = Math.max(end, Date.parse(job.completedAt ?? ''));
  }
  return { seconds: (end - start) / 1000, cpuMs };
}

/** The seconds that the same commands take under xargs, in a folder with the layout of a scratch folder. */
async function bareBlock(argv: readonly string[], output: string, work: Workload, isWrapped: boolean): Promise<number> {
  const dir = join(folder, 'bare');
  for (const part of ['in', 'out']) mkdirSync(join(dir, part), { recursive: true });
  symlinkSync(input, join(dir, 'in/0.mp4'));
  const bare = argv.map((argument) => argument.replace(output, `out/{}.${work.extension}`));
  const command = isWrapped ? await wrappedCommand(bare, input, dir) : bare;
  const numbers = Array.from({ length: work.count }, (_, i) => `${i}\n`).join('');
  const start = performance.now();
  execFileSync('xargs', ['-P', String(PARALLEL), '-I', '{}', ...command], {
    cwd: dir,
    input: numbers,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const seconds = (performance.now() - start) / 1000;
  rmSync(dir, { recursive: true });
  return seconds;
}

interface Result {
  /** For each pair of blocks: the wall time of the service divided by the wall time of the bare commands. */
  readonly wallRatios: readonly number[];
  readonly loopP99Ms: readonly number[];
  readonly cpuMs: readonly number[];
}

const ratiosOf = (above: readonly number[], below: readonly number[]): readonly number[] =>
  above.map((value, i) => value / (below[i] ?? Number.NaN));

const inverse = (ratios: readonly number[]): readonly number[] => ratios.map((ratio) => 1 / ratio);

async function measure(work: Workload): Promise<Result> {
  const dryRun = await must<DryRunView>(`${service.url}/api/conversion?dryRun=true`, {
    token: service.token,
    body: { ...work.request, output: `x.${work.extension}` },
  });
  const argv = dryRun.argv[0] ?? [];
  const output = dryRun.plan.outputs[0]?.name ?? '';
  await bareBlock(argv, output, work, false);
  const bareJobs = { argv, output: basename(output), count: work.count };
  await bareWorker.run(bareJobs);
  await serviceBlock(service, work, -1);
  const bare: number[] = [];
  const wrapped: number[] = [];
  const bareCpuMs: number[] = [];
  const ours: Block[] = [];
  for (let i = 0; i < BLOCKS; i++) {
    bare.push(await bareBlock(argv, output, work, false));
    wrapped.push(await bareBlock(argv, output, work, true));
    bareCpuMs.push(await bareWorker.run(bareJobs));
    ours.push(await serviceBlock(service, work, i));
  }
  const seconds = ours.map((block) => block.seconds);
  const wallRatios = ratiosOf(seconds, bare);
  const floorRatios = ratiosOf(wrapped, bare);
  // Use separate blocks, because measuring the delay takes processor time of the service.
  const loopP99Ms: number[] = [];
  const watchedCpuMs: number[] = [];
  for (let i = 0; i < DELAY_BLOCKS; i++) {
    delays.start(service.pid);
    watchedCpuMs.push((await serviceBlock(service, work, BLOCKS + i)).cpuMs);
    loopP99Ms.push(await delays.p99(service.pid));
  }
  const eachMs = (values: readonly number[]): string =>
    spread(
      values.map((value) => (value * 1000) / work.count),
      1,
    );
  console.log(`${work.name}: ${BLOCKS} blocks of ${work.count} a side, ${PARALLEL} at a time`);
  console.log(`  bare              ${eachMs(bare)} ms of wall time a job`);
  console.log(`  in the wrappers   ${eachMs(wrapped)} ms of wall time a job`);
  console.log(`  telecine          ${eachMs(seconds)} ms of wall time a job`);
  console.log(`  wall time ratio   ${spread(wallRatios, 3)}; floor, in the wrappers: ${spread(floorRatios, 3)}`);
  console.log(
    `  throughput ratio  ${spread(inverse(wallRatios), 3)}; floor, in the wrappers: ${spread(inverse(floorRatios), 3)}`,
  );
  console.log(`  of the floor      ${spread(ratiosOf(seconds, wrapped), 3)}`);
  const cpuMs = ours.map((block) => block.cpuMs);
  console.log(
    `  processor time    ${spread(cpuMs, 1)} ms a job, of the service itself; of a bare worker: ${spread(bareCpuMs, 1)}`,
  );
  console.log(
    `  event loop p99    ${spread(loopP99Ms, 1)} ms, measured with ${spread(watchedCpuMs, 1)} ms of processor time a job`,
  );
  return { wallRatios, loopP99Ms, cpuMs };
}

try {
  const thumbnails = await measure(THUMBNAIL);
  const conversions = await measure(CONVERSION);
  bound('wall time of conversions, of the bare commands', conversions.wallRatios, '<=', 1.08, 3);
  bound('ms of processor time a conversion, of the service itself', conversions.cpuMs, '<=', 15, 1);
  bound('throughput of thumbnails, of the bare commands', inverse(thumbnails.wallRatios), '>=', 0.85, 3);
  const loopP99Ms = [...thumbnails.loopP99Ms, ...conversions.loopP99Ms];
  bound("event loop's delay at the 99th percentile, ms", loopP99Ms, '<=', 10, 1);
} finally {
  bareWorker.stop();
  await service.stop();
}
