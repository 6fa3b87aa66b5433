/**
 * `npm run bench:estimates`: compares the estimates of dry runs with the sizes and times of the jobs themselves, for requests with options
 * and for recipes. Prints the ratio of estimate to real. After three jobs of a kind, eight of ten times must be within a factor of 1.5. No request may fail. The inputs
 * are two samples of one animation, and videos of other kinds that filters make. `-- --media DIR` uses the files of a folder instead, `--seconds N` converts N seconds of each (default: 20), and
 * `--only TEXT,TEXT` runs the requests whose name contains one of these. Nothing else may run on the machine.
 */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import type { DryRunView } from '../packages/contract/src/wire/dry-run.ts';
import { adminLogin, getJob, isFinal } from '../scripts/lib/api.ts';
import { copySample, samplePath } from '../scripts/lib/samples.ts';
import { bound } from './support/figures.ts';
import { benchFolder, printMachine } from './support/machine.ts';
import { makeQualitySources } from './support/quality-sources.ts';
import { startBenchService } from './support/service.ts';

/** Videos that are harder or easier to encode than the animation. Each gets the sound of a sample. */
const VARIED = ['grain-heavy', 'dark', 'motion', 'slides', 'screen-text'];

const POLL_MS = 100;
/** Common requests about a film: what people ask for most in `test/common-requests`. */
const REQUESTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'x264 default': { 'c:v': 'libx264', preset: 'veryfast', 'c:a': 'aac' },
  'x264 crf 28, 360 lines': {
    'c:v': 'libx264',
    preset: 'fast',
    crf: '28',
    vf: 'scale=-2:360',
    'c:a': 'aac',
    'b:a': '96k',
  },
  'x264 crf 20': { 'c:v': 'libx264', preset: 'ultrafast', crf: '20', an: '' },
  'x264 at a rate': { 'c:v': 'libx264', preset: 'veryfast', 'b:v': '800k', 'c:a': 'copy' },
  'x264 crf with maxrate': { 'c:v': 'libx264', preset: 'veryfast', crf: '22', maxrate: '500k', bufsize: '1M', an: '' },
  'x265 crf 28': { 'c:v': 'libx265', preset: 'ultrafast', 'c:a': 'aac', vf: 'scale=-2:360' },
  'vp9 crf 33': { f: 'webm', 'c:v': 'libvpx-vp9', crf: '33', 'b:v': '0', 'cpu-used': '4', vf: 'scale=-2:240', an: '' },
  'av1 crf 38': { f: 'matroska', 'c:v': 'libsvtav1', preset: '10', crf: '38', vf: 'scale=-2:360', an: '' },
  'mpeg4 q 5': { f: 'avi', 'c:v': 'mpeg4', 'q:v': '5', an: '' },
  copy: { c: 'copy' },
  'audio as mp3': { f: 'mp3', vn: '', 'c:a': 'libmp3lame', 'b:a': '128k' },
  'audio as opus': { f: 'ogg', vn: '', 'c:a': 'libopus', 'b:a': '64k' },
  'audio as flac': { f: 'flac', vn: '', 'c:a': 'flac' },
  'half the frames': { 'c:v': 'libx264', preset: 'veryfast', r: '12', an: '' },
  gif: { f: 'gif', vf: 'fps=8,scale=240:-2' },
};

/**
 * Recipes for one video, with arguments where these are required. They stand for what people run most. `extension`: that of the output,
 * by default mp4.
 */
const RECIPES: Readonly<Record<string, { readonly extension?: string; readonly [argument: string]: unknown }>> = {
  'web-h264': {},
  'web-hevc': {},
  'web-vp9': { extension: 'webm' },
  compress: {},
  resize: { height: 360 },
  'target-size': { size: 2 },
  'change-container': {},
  vertical: {},
  letterbox: {},
  rotate: {},
  'frame-rate': {},
  fade: {},
  gif: { extension: 'gif' },
  'remove-audio': {},
  mp3: { extension: 'mp3' },
  m4a: { extension: 'm4a' },
  opus: { extension: 'opus' },
  'video-loudness': {},
  'black-and-white': {},
  'denoise-video': {},
};

const { values } = parseArgs({
  options: { media: { type: 'string' }, only: { type: 'string' }, seconds: { type: 'string', default: '20' } },
});
const folder = benchFolder('estimates');
printMachine(folder);
const service = await startBenchService({ folder, env: { TELECINE_CONCURRENCY: '1' } });
const inputs = await putInputs(service.mediaRoot, values.media);
/** The ratios of estimate to real, by what the estimate is based on: measured jobs, or the table of encoders, options and inputs. */
const ratios = {
  size: { jobs: [] as number[], others: [] as number[] },
  time: { jobs: [] as number[], others: [] as number[] },
};
const unknown = { size: 0, time: 0 };
/** Requests that were rejected, or whose job failed, so that nothing was compared. */
let failed = 0;

try {
  for (const input of inputs) {
    for (const [name, options] of Object.entries(REQUESTS)) {
      const { f: format = 'mp4', ...parameters } = options;
      await compare(input, name, { output: 'out', format, parameters });
    }
    for (const [name, { extension = 'mp4', ...args }] of Object.entries(RECIPES))
      await compare(input, `recipe ${name}`, { output: `out.${extension}`, preset: { name, arguments: args } });
  }
} finally {
  await service.stop();
}
for (const [of, { jobs, others }] of Object.entries(ratios))
  console.log(`${of} by measured jobs: ${quantiles(jobs)}; by the table, options and inputs: ${quantiles(others)}`);
console.log(`${unknown.size} sizes and ${unknown.time} times were not estimated, and ${failed} requests had no result`);
bound('requests without a result', failed, '<=', 0, 0);
bound('share of times by measured jobs within a factor of 1.5', within(1.5, ratios.time.jobs), '>=', 0.8);

async function putInputs(mediaRoot: string, media: string | undefined): Promise<readonly string[]> {
  if (media !== undefined) {
    const names = readdirSync(media).filter((name) => /\.(?:mp4|mkv|mov|avi|webm)$/.test(name));
    for (const name of names) await copyFile(join(media, name), join(mediaRoot, name));
    return names;
  }
  const samples = ['480p', '1080p'] as const;
  for (const sample of samples) await copySample(sample, join(mediaRoot, `${sample}.mp4`));
  const sources = join(folder, 'sources');
  await makeQualitySources(sources, VARIED);
  for (const name of VARIED) {
    const inputs = ['-i', join(sources, `${name}.mp4`), '-i', samplePath('480p')];
    const argv = ['-v', 'error', ...inputs, '-map', '0:v', '-map', '1:a', '-c', 'copy', '-shortest'];
    await promisify(execFile)('ffmpeg', [...argv, join(mediaRoot, `${name}.mp4`)]);
  }
  return [...samples, ...VARIED].map((name) => `${name}.mp4`);
}

interface BenchRequest {
  readonly parameters?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

async function compare(input: string, name: string, { parameters, ...request }: BenchRequest): Promise<void> {
  if (values.only?.split(',').every((part) => !name.includes(part))) return;
  const inputs = [{ input, parameters: { t: values.seconds } }];
  const body = JSON.stringify({ ...request, inputs, parameters: { ...parameters, y: '' } });
  // The whole bench takes longer than a token is valid.
  const { accessToken: token } = await adminLogin(service.url, join(folder, 'data'));
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { estimate } = (await (
    await fetch(`${service.url}/api/conversion?dryRun=true`, { method: 'POST', headers, body })
  ).json()) as DryRunView;
  const sent = await fetch(`${service.url}/api/conversion`, { method: 'POST', headers, body });
  const submitted = (await sent.json()) as { readonly jobId?: string; readonly detail?: string };
  if (submitted.jobId === undefined) {
    console.log(`${input} ${name}: ${submitted.detail ?? sent.status}`);
    failed += 1;
    return;
  }
  let job = await getJob(service.url, token, submitted.jobId);
  while (!isFinal(job)) {
    await sleep(POLL_MS);
    job = await getJob(service.url, token, submitted.jobId);
  }
  const [output] = job.outputs ?? [];
  if (output === undefined) {
    console.log(`${input} ${name}: ${job.error?.message ?? job.status}`);
    failed += 1;
    return;
  }
  const seconds = (Date.parse(job.completedAt ?? '') - Date.parse(job.startedAt ?? '')) / 1000;
  const [size] = estimate?.outputs ?? [];
  const shown = [
    note('size', size?.sizeBytes?.likely, output.sizeBytes, size?.basis?.includes('jobs') ?? false, size?.unknown),
    note('time', estimate?.time.seconds?.likely, seconds, estimate?.time.basis === 'jobs', estimate?.time.unknown),
  ];
  console.log(`${input} ${name}: ${shown.join(', ')}`);
}

function note(
  of: 'size' | 'time',
  likely: number | undefined,
  real: number,
  isMeasured: boolean,
  why?: string,
): string {
  if (likely === undefined) unknown[of] += 1;
  else ratios[of][isMeasured ? 'jobs' : 'others'].push(likely / real);
  return likely === undefined
    ? `${of} not estimated: ${why}`
    : `${of} ${(likely / real).toFixed(2)} of ${Number(real.toPrecision(3))}${isMeasured ? ' by jobs' : ''}`;
}

function within(factor: number, list: readonly number[]): number {
  return list.filter((one) => one <= factor && one >= 1 / factor).length / Math.max(1, list.length);
}

function quantiles(list: readonly number[]): string {
  const sorted = list.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN).toFixed(2);
  return `median ${at(0.5)}, 10-90 % ${at(0.1)}-${at(0.9)}, ${Math.round(100 * within(1.5, list))} % within 1.5, ${Math.round(100 * within(4, list))} % within 4 (${list.length})`;
}
