import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import pLimit from 'p-limit';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { seededChoices } from '../../test/faults/soak/seeded-choices.ts';
import { convert } from '../../test/outcomes/generated/run-outcomes.ts';
import type { Tools } from '../../test/outcomes/generated/seen-media.ts';
import { runProgram } from '../../test/outcomes/generated/sources.ts';
import { pathsBelow } from '../../test/support/folders.ts';
import { NO_RATE_LIMITS } from '../../test/support/no-rate-limits.ts';
import { adminLogin } from '../lib/api.ts';
import { type Program, startService } from '../lib/service.ts';
import { type Deviation, judgeResult, LOSSES } from './judge-result.ts';
import { type MediaFacts, readMedia } from './media-facts.ts';
import { type ComparedRequest, drawRequests } from './requests.ts';

export const TOOLS = ['Telecine', 'ffmpeg', 'HandBrake'] as const;
export type Tool = (typeof TOOLS)[number];

/** What a tool made of a request. `told`: the deviations that it names. */
export interface Outcome {
  readonly seconds: number;
  readonly failed?: string | undefined;
  readonly told: readonly Deviation[];
  readonly silent: readonly Deviation[];
}

export interface Pair {
  readonly file: string;
  readonly kind: string;
  readonly outcomes: Readonly<Partial<Record<Tool, Outcome>>>;
}

export interface CompareOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly mediaFolder: string;
  readonly count: number;
  readonly seed: number;
  /** No further file is begun after that. */
  readonly minutes: number;
  readonly programs: Tools;
  /** Absent: without HandBrake. */
  readonly handbrakePath: string | undefined;
  readonly program: Program;
}

const REQUESTS_PER_FILE = 5;

/** Draws requests about files, runs each by each tool, and judges all results in the same way. */
export async function compareFiles(options: CompareOptions): Promise<readonly Pair[]> {
  const { folder, mediaFolder, count, seed, minutes, programs, program } = options;
  const [mediaRoot, dataDir] = [join(folder, 'media'), join(folder, 'data')];
  await mkdir(join(mediaRoot, 'in'), { recursive: true });
  const env = { ...NO_RATE_LIMITS, TELECINE_CONSOLE: 'off', TELECINE_CONCURRENCY: '2' };
  const service = await startService({ dataDir, mediaRoot, program, env });
  const from = performance.now();
  const pairs: Pair[] = [];
  try {
    const files = await drawFiles(mediaFolder, seed, Math.ceil(count / REQUESTS_PER_FILE));
    await pLimit(2).map(files, async (path, number) => {
      if (performance.now() - from > minutes * 60_000) return;
      const { accessToken: token } = await adminLogin(service.url, dataDir);
      const input = `in/${number}${extname(path).toLowerCase()}`;
      await copyFile(path, join(mediaRoot, input));
      const source = await readMedia(programs, join(mediaRoot, input));
      for (const request of drawRequests(source, seededChoices(seed + number), REQUESTS_PER_FILE)) {
        const { kind, to } = request;
        const file = relative(mediaFolder, path);
        const outcomes: Partial<Record<Tool, Outcome>> = {};
        for (const tool of TOOLS) {
          const result = join(mediaRoot, `${tool}-${number}-${kind}.${to}`);
          const task = { ...options, url: service.url, token, mediaRoot, input, source, request, result };
          const outcome = await outcomeOf(tool, task);
          if (outcome === undefined) continue;
          outcomes[tool] = outcome;
          console.log(`${file} | ${kind} | ${tool} | ${textOf(outcome)}`);
        }
        pairs.push({ file, kind, outcomes });
      }
      await rm(join(mediaRoot, input));
    });
  } finally {
    await service.stop();
  }
  return pairs;
}

async function drawFiles(folder: string, seed: number, count: number): Promise<readonly string[]> {
  const chance = seededChoices(seed);
  const paths = (await pathsBelow(folder)).filter((path) => extname(path) !== '');
  const ranked = paths.toSorted().map((path) => ({ path: join(folder, path), rank: chance.between(0, 1) }));
  const drawn = ranked.toSorted((one, other) => one.rank - other.rank).slice(0, count);
  return drawn.map(({ path }) => path);
}

interface Task extends Pick<CompareOptions, 'programs' | 'handbrakePath'> {
  readonly url: string;
  readonly token: string;
  readonly mediaRoot: string;
  /** A path of the media root. */
  readonly input: string;
  readonly source: MediaFacts | undefined;
  readonly request: ComparedRequest;
  readonly result: string;
}

/** Runs a request by a tool, and judges its result. undefined: the tool does not do that, or is not installed. */
async function outcomeOf(tool: Tool, task: Task): Promise<Outcome | undefined> {
  const { programs, source, result, request } = task;
  const started = performance.now();
  const run = await runTool(tool, task);
  if (run === undefined) return undefined;
  const seconds = (performance.now() - started) / 1000;
  if (run.failed !== undefined) return { seconds, failed: run.failed, told: [], silent: [] };
  const seen = await readMedia(programs, result, request.expected.isTurned);
  await rm(result);
  if (seen === undefined || source === undefined) {
    const text = `nothing in the ${seen === undefined ? 'result' : 'source'} can be decoded`;
    return { seconds, told: [], silent: [{ loss: 'length', text }] };
  }
  const found = judgeResult(source, seen, request.expected);
  // ffmpeg's lines about streams are about what it reads.
  const isTold = ({ loss }: Deviation): boolean =>
    run.said.some((one) => LOSSES[loss].test(one)) && (tool !== 'ffmpeg' || loss !== 'tracks');
  return { seconds, told: found.filter(isTold), silent: found.filter((one) => !isTold(one)) };
}

interface ToolRun {
  readonly failed?: string;
  /** What the tool says is lost (`lost` of its warnings), or lines of its log. */
  readonly said: readonly string[];
}

/** HandBrake's log has a line for each of its decisions: those that tell a problem name it so. */
const PROBLEM = /warn|error|fail|unsupported|unknown|invalid|skip|drop|discard|ignor|lost|missing|not /i;

async function runTool(tool: Tool, task: Task): Promise<ToolRun | undefined> {
  const { programs, handbrakePath, mediaRoot, input, result, request } = task;
  const file = join(mediaRoot, input);
  if (tool === 'Telecine') return runTelecine(task);
  if (tool === 'ffmpeg') {
    const args = request.ffmpeg.flatMap((word) => (word === 'INPUT' ? ['-i', `file:${file}`] : [word]));
    const quiet = ['-nostdin', '-y', '-hide_banner', '-v', 'warning'];
    return runCommand(programs.ffmpegPath, [...quiet, ...args, `file:${result}`], result);
  }
  if (handbrakePath === undefined || request.handbrake.length === 0) return undefined;
  const { said, ...run } = await runCommand(handbrakePath, ['-i', file, '-o', result, ...request.handbrake], result);
  return { ...run, said: said.filter((line) => PROBLEM.test(line)) };
}

async function runTelecine({ url, token, mediaRoot, input, result, request: { recipe } }: Task): Promise<ToolRun> {
  const [name, ...given] = recipe;
  const values = given.map((word) => word.split('=')).map(([key = '', value]) => [key, Number(value) || value]);
  const preset = name === undefined ? {} : { preset: { name, arguments: Object.fromEntries(values) } };
  const request = { input, output: relative(mediaRoot, result), ...preset } as ConversionRequest;
  const outcome = await convert(url, token, { request });
  if ('rejected' in outcome) return { failed: outcome.rejected, said: [] };
  return { said: (outcome.job.warnings ?? []).flatMap(({ lost }) => lost ?? []) };
}

async function runCommand(program: string, args: readonly string[], result: string): Promise<ToolRun> {
  const { ok, stderr } = await runProgram(program, args);
  const said = stderr.split('\n').filter((line) => line !== '');
  // HandBrake ends with 0 although it has written nothing.
  const { size } = await stat(result).catch(() => ({ size: 0 }));
  return ok && size > 0 ? { said } : { said, failed: said.at(-1) ?? 'no message' };
}

function textOf({ failed, silent, told }: Outcome): string {
  const list = (all: readonly Deviation[]): string => all.map(({ loss, text }) => `${loss}: ${text}`).join('; ');
  if (failed !== undefined) return `FAILED ${failed}`;
  return silent.length > 0 ? `SILENT ${list(silent)}` : told.length > 0 ? `told ${list(told)}` : 'right';
}
