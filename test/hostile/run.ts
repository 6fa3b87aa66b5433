import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, realpath } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { runConversion } from '../../src/ffmpeg/run/run.ts';
import type { Sandbox } from '../../src/ffmpeg/sandbox/sandbox.ts';
import { conversion, POLICY, planOf } from '../fixtures/conversion.ts';
import { testFolder } from '../support/folders.ts';
import { tools } from '../support/tools.ts';
import { type Canaries, placeCanaries } from './canaries.ts';
import type { HarmfulFiles } from './harmful-files.ts';
import { PLACEHOLDER_CANARIES } from './placeholder-canaries.ts';
import type { Effect, HostileRow } from './row.ts';
import { uncheckedArgv, uncheckedOutput } from './unchecked-argv.ts';

/** Seconds after which a command that takes a tenth of one when it is harmless counts as endless. */
const ENDLESS_SECONDS = 0.75;

/** Seconds for all others, on a machine that has much else to do. */
const AMPLE_SECONDS = 30;

/** Between a polite end and SIGKILL: those that heed no polite one work on until then. */
const GRACE_SECONDS = 0.2;

/** For what starting and looking take on a busy machine. */
const SLACK_SECONDS = 5;

/** What a row may take. */
const secondsFor = (effect: Effect): number =>
  effect === 'hangs' || effect === 'exhausts' ? ENDLESS_SECONDS : AMPLE_SECONDS;

/** More than a conversion of half a second has to say. */
const FLOOD_BYTES = 16 * 1024;

/** What came of a row. */
export interface RunResult {
  /** Of the bait, in words; and of the clock, where a worker was held. */
  readonly touched: readonly string[];
  /** All that was told, and all that was written as output. */
  readonly told: string;
}

/** A fresh bait with the files of a row. */
export const canariesFor = async (files: HarmfulFiles, row?: HostileRow): Promise<Canaries> =>
  placeCanaries(await realpath(await testFolder('bait')), files, (bait) => row?.files?.(bait) ?? {});

/** What plain ffmpeg does, in the media root. */
export async function runPlain(
  bait: Canaries,
  argv: readonly string[],
  effect: Effect,
  env: Readonly<Record<string, string>> = {},
): Promise<RunResult & { readonly effects: ReadonlySet<Effect> }> {
  const { code, signal, said, complained } = await startPlain(bait.root, argv, secondsFor(effect), env);
  const touched = await bait.touched();
  const effects = effectsOn(touched);
  if (signal === 'SIGKILL') effects.add('hangs');
  if (complained.length > FLOOD_BYTES) effects.add('floods');
  if (code === 0 && (await readdir(join(bait.root, 'out'))).length === 0) effects.add('answers');
  return { touched, effects, told: `${said}${complained}${await written(join(bait.root, 'out'))}` };
}

/** Whether a row may be tried in one command with others: all that it does is seen in its bait. */
export const canRunTogether = ({ request, argv, effect, fatal }: HostileRow): boolean =>
  argv === undefined &&
  fatal === undefined &&
  ON_BAIT.has(effect) &&
  request(PLACEHOLDER_CANARIES).input === 'movie.mp4';

/**
 * What plain ffmpeg does to the bait of each row when one command has them all as outputs. What goes by the working
 * folder is seen in no bait.
 */
export async function runPlainTogether(
  files: HarmfulFiles,
  rows: readonly HostileRow[],
): Promise<ReadonlyMap<HostileRow, ReadonlySet<Effect>>> {
  if (rows.length === 0) return new Map();
  const [place, ...baits] = await Promise.all([canariesFor(files), ...rows.map((row) => canariesFor(files, row))]);
  const outputs = rows.flatMap((row, i) => {
    const bait = baits[i] ?? place;
    const request = row.request(bait);
    return uncheckedOutput({ ...request, output: join(bait.root, request.output) });
  });
  try {
    await startPlain(place.root, ['-y', '-i', 'movie.mp4', ...outputs], AMPLE_SECONDS);
    const effects = await Promise.all(baits.map(async (bait) => effectsOn(await bait.touched())));
    return new Map(rows.map((row, i) => [row, effects[i] ?? new Set()]));
  } finally {
    for (const bait of [place, ...baits]) bait.close();
  }
}

async function startPlain(
  cwd: string,
  argv: readonly string[],
  seconds: number,
  env: Readonly<Record<string, string>> = {},
) {
  const words = ['-nostdin', '-hide_banner', ...argv];
  const child = spawn(tools().ffmpegPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  // SIGKILL, for an expression that never ends hears nothing else.
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  const [end, said, complained] = await Promise.all([
    new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done, fail) => {
      child.once('error', fail);
      child.once('close', (code, signal) => done({ code, signal }));
    }),
    text(child.stdout),
    text(child.stderr),
  ]);
  clearTimeout(timer);
  return { ...end, said, complained };
}

/** Those that leave their trace there. */
const ON_BAIT: ReadonlySet<Effect> = new Set(['reads', 'writes', 'connects', 'loads']);

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

/** A command with no check before it, and what it may see. */
export interface Unchecked {
  /** Of the media root. */
  readonly inputs: readonly string[];
  readonly output: string;
  readonly argv: readonly string[];
  readonly effect: Effect;
}

/** What a service without checks would make of a row. */
export function uncheckedJob(row: HostileRow, bait: Canaries): Unchecked {
  const { input, inputs = [input ?? ''], output } = row.request(bait);
  const paths = inputs.map((one) => (typeof one === 'string' ? one : one.input));
  return { inputs: paths, output, argv: uncheckedArgvOf(row, bait, inJob), effect: row.effect };
}

/** Runs it as a job of the service is run, but in little time. */
export async function runInJob(bait: Canaries, job: Unchecked, sandbox: Sandbox): Promise<RunResult> {
  const dir = join(await realpath(await testFolder('scratch')), 'job.1');
  for (const name of ['', 'in', 'out']) await mkdir(join(dir, name));
  // What is no file of the root is no input that a job could have.
  const mounts = job.inputs.flatMap((path, index) =>
    /^[\w.-]+$/.test(path) ? [{ logical: inJob(path, index), hostPath: join(bait.root, path) }] : [],
  );
  const timeoutSeconds = secondsFor(job.effect);
  const limited = { policy: { ...POLICY, cpu: Math.ceil(timeoutSeconds) }, timeoutSeconds, mounts };
  const from = performance.now();
  const outcome = await runConversion(
    conversion(sandbox, dir, planOf(job.output, [job.argv]), { ...limited, graceSeconds: GRACE_SECONDS }),
  );
  const held = (performance.now() - from) / 1000;
  const told = `${JSON.stringify(outcome)}${await written(join(dir, 'out'))}`;
  const touched = [...(await bait.touched())];
  if (held > timeoutSeconds + GRACE_SECONDS + SLACK_SECONDS) touched.push(`a worker was held for ${held.toFixed(1)} s`);
  const code = outcome.ok ? undefined : outcome.failure.code;
  if (job.effect === 'hangs' && code !== 'TIMEOUT' && code !== 'LIMIT_EXCEEDED')
    touched.push(`no limit ended it, but ${code ?? 'nothing'}`);
  return { touched, told };
}

/** The argv that no check was made of. */
export function uncheckedArgvOf(
  row: HostileRow,
  bait: Canaries,
  name: (path: string, index: number) => string,
): readonly string[] {
  const request = row.request(bait);
  const [first = request.input ?? ''] = request.inputs ?? [];
  return row.argv?.(bait, name(typeof first === 'string' ? first : first.input, 0)) ?? uncheckedArgv(request, name);
}

/** As the planner calls inputs. */
const inJob = (path: string, index: number): string => `in/${index}${extname(path)}`;

async function written(folder: string): Promise<string> {
  const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) => one.isFile());
  return (await Promise.all(files.map((one) => readFile(join(one.parentPath, one.name), 'latin1')))).join('');
}
