import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { nameOfInput } from '../../packages/contract/src/domain/conversion.ts';
import { runConversion } from '../../packages/ffmpeg/src/run/run.ts';
import type { Sandbox } from '../../packages/ffmpeg/src/sandbox/sandbox.ts';
import { conversion, POLICY, planOf } from '../fixtures/conversion.ts';
import { testFolder } from '../support/folders.ts';
import { tools } from '../support/tools.ts';
import { type Canaries, placeCanaries } from './canaries.ts';
import type { HarmfulFiles } from './harmful-files.ts';
import { PLACEHOLDER_CANARIES } from './placeholder-canaries.ts';
import type { Effect, HostileRow } from './row.ts';
import { uncheckedArgv, uncheckedOutput } from './unchecked-argv.ts';

/** A command is endless if it takes so many times as long as a harmless one takes on this machine at this time. */
const ENDLESS_FACTOR = 3;
const MIN_ENDLESS_SECONDS = 0.75;

/** The time limit of rows that must end by themselves, also on a busy machine. */
const AMPLE_SECONDS = 30;

/** The time between SIGTERM and SIGKILL. Some rows ignore SIGTERM. */
const GRACE_SECONDS = 0.2;

/** The time for starting and stopping processes on a busy machine. */
const SLACK_SECONDS = 5;

/** The time limit of a row. */
const secondsFor = async (effect: Effect, mediaRoot: string): Promise<number> =>
  effect === 'hangs' || effect === 'exhausts' ? endlessSeconds(mediaRoot) : AMPLE_SECONDS;

let harmlessSeconds: Promise<number> | undefined;

async function endlessSeconds(mediaRoot: string): Promise<number> {
  harmlessSeconds ??= measureHarmless(mediaRoot);
  return Math.max(MIN_ENDLESS_SECONDS, ENDLESS_FACTOR * (await harmlessSeconds));
}

/** The duration of a harmless command with the same encoders as the rows. */
async function measureHarmless(mediaRoot: string): Promise<number> {
  const start = performance.now();
  const argv = ['-i', 'movie.mp4', '-t', '0.2', '-c:v', 'mpeg4', '-c:a', 'pcm_s16le', '-f', 'null', '-'];
  const { code } = await startPlain(mediaRoot, argv, AMPLE_SECONDS);
  if (code !== 0) throw new Error(`A harmless command failed with ${code}`);
  return (performance.now() - start) / 1000;
}

/** The size of a log that counts as a flood: more than a harmless conversion of half a second logs. */
const FLOOD_BYTES = 16 * 1024;

/** The result of one row. */
export interface RunResult {
  /** Canaries that were touched, and limits that were exceeded, in words. */
  readonly touched: readonly string[];
  /** All that ffmpeg or the job reported, and the content of all outputs. */
  readonly text: string;
}

/** New canaries with the files of a row. */
export const canariesFor = async (files: HarmfulFiles, row?: HostileRow): Promise<Canaries> =>
  placeCanaries(await realpath(await testFolder('canaries')), files, (canaries) => row?.files?.(canaries) ?? {});

/** Runs plain ffmpeg in the media root. */
export async function runPlain(
  canaries: Canaries,
  argv: readonly string[],
  effect: Effect,
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult & { readonly effects: ReadonlySet<Effect> }> {
  const { code, signal, stdout, stderr } = await startPlain(
    canaries.root,
    argv,
    await secondsFor(effect, canaries.root),
    env,
  );
  const touched = await canaries.touched();
  const effects = effectsOn(touched);
  if (signal === 'SIGKILL') effects.add('hangs');
  if (stderr.length > FLOOD_BYTES) effects.add('floods');
  if (code === 0 && (await readdir(join(canaries.root, 'out'))).length === 0) effects.add('prints');
  return { touched, effects, text: `${stdout}${stderr}${await written(join(canaries.root, 'out'))}` };
}

/** Whether a row can share a command with others: all its effects are visible in its own canaries. */
export const canRunTogether = ({ request, argv, effect, fatal }: HostileRow): boolean =>
  argv === undefined &&
  fatal === undefined &&
  CANARY_EFFECTS.has(effect) &&
  request(PLACEHOLDER_CANARIES).input === 'movie.mp4';

/**
 * Runs plain ffmpeg once, with an output for each row, and returns the effects on the canaries of each. Effects on the
 * working directory belong to no row and are not seen.
 */
export async function runPlainTogether(
  files: HarmfulFiles,
  rows: readonly HostileRow[],
): Promise<ReadonlyMap<HostileRow, ReadonlySet<Effect>>> {
  if (rows.length === 0) return new Map();
  const [own, ...perRow] = await Promise.all([canariesFor(files), ...rows.map((row) => canariesFor(files, row))]);
  const outputs = rows.flatMap((row, i) => {
    const canaries = perRow[i] ?? own;
    const request = row.request(canaries);
    return uncheckedOutput({ ...request, output: join(canaries.root, String(request.output)) });
  });
  try {
    await startPlain(own.root, ['-y', '-i', 'movie.mp4', ...outputs], AMPLE_SECONDS);
    const effects = await Promise.all(perRow.map(async (canaries) => effectsOn(await canaries.touched())));
    return new Map(rows.map((row, i) => [row, effects[i] ?? new Set()]));
  } finally {
    for (const canaries of [own, ...perRow]) canaries.close();
  }
}

async function startPlain(
  cwd: string,
  argv: readonly string[],
  seconds: number,
  env: Readonly<Record<string, string>> = {},
) {
  const args = ['-nostdin', '-hide_banner', ...argv];
  const child = spawn(tools().ffmpegPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // An endless expression ignores every other signal.
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  const [end, stdout, stderr] = await Promise.all([
    new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done, fail) => {
      child.once('error', fail);
      child.once('close', (code, signal) => done({ code, signal }));
    }),
    text(child.stdout),
    text(child.stderr),
  ]);
  clearTimeout(timer);
  return { ...end, stdout, stderr };
}

/** Effects that canaries show. */
const CANARY_EFFECTS: ReadonlySet<Effect> = new Set(['reads', 'writes', 'connects', 'loads']);

function effectsOn(touched: readonly string[]): Set<Effect> {
  const effects = new Set<Effect>();
  for (const touch of touched) {
    if (touch.endsWith('was read')) effects.add('reads');
    if (touch.endsWith('was written')) effects.add('writes');
    if (touch.endsWith('were made')) effects.add('connects');
    if (touch.endsWith('was loaded') || touch === 'library was read') effects.add('loads');
  }
  return effects;
}

/** An unchecked command, and the files it may read. */
export interface UncheckedJob {
  /** Paths in the media root. */
  readonly inputs: readonly string[];
  readonly output: string;
  readonly argv: readonly string[];
  readonly effect: Effect;
}

/** The job that a service without checks would run for a row. */
export function uncheckedJob(row: HostileRow, canaries: Canaries): UncheckedJob {
  const { input, inputs = [input ?? ''], output = '' } = row.request(canaries);
  const paths = inputs.map(nameOfInput);
  return { inputs: paths, output, argv: uncheckedArgvOf(row, canaries, inJob), effect: row.effect };
}

/** Runs a command as the service runs jobs, with a short time limit. */
export async function runInJob(canaries: Canaries, job: UncheckedJob, sandbox: Sandbox): Promise<RunResult> {
  const dir = join(await realpath(await testFolder('scratch')), 'job.1');
  for (const name of ['', 'in', 'out']) await mkdir(join(dir, name));
  // Only files of the media root can be inputs of a job.
  const mounts = job.inputs.flatMap((path, index) =>
    /^[\w.-]+$/.test(path) ? [{ logical: inJob(path, index), hostPath: join(canaries.root, path) }] : [],
  );
  const timeoutSeconds = await secondsFor(job.effect, canaries.root);
  const limited = { policy: { ...POLICY, cpu: Math.ceil(timeoutSeconds) }, timeoutSeconds, mounts };
  const start = performance.now();
  const outcome = await runConversion(
    conversion(sandbox, dir, planOf(job.output, [job.argv]), { ...limited, graceSeconds: GRACE_SECONDS }),
  );
  const seconds = (performance.now() - start) / 1000;
  const text = `${JSON.stringify(outcome)}${await written(join(dir, 'out'))}`;
  const touched = [...(await canaries.touched())];
  if (seconds > timeoutSeconds + GRACE_SECONDS + SLACK_SECONDS)
    touched.push(`the job occupied a worker for ${seconds.toFixed(1)} s`);
  const code = outcome.ok ? undefined : outcome.failure.code;
  if (job.effect === 'hangs' && code !== 'TIMEOUT' && code !== 'LIMIT_EXCEEDED')
    touched.push(`ended with ${code ?? 'success'} instead of a limit`);
  return { touched, text };
}

/** The argv of a row without any checks. */
export function uncheckedArgvOf(
  row: HostileRow,
  canaries: Canaries,
  name: (path: string, index: number) => string,
): readonly string[] {
  const request = row.request(canaries);
  const [first = request.input ?? ''] = request.inputs ?? [];
  return row.argv?.(canaries, name(nameOfInput(first), 0)) ?? uncheckedArgv(request, name);
}

/** The logical name of an input, as in the planner. */
const inJob = (path: string, index: number): string => `in/${index}${extname(path)}`;

async function written(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  return (await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'latin1')))).join('');
}
