import { copyFile, mkdir, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import pLimit from 'p-limit';
import type { AcceptedView } from '../../packages/contract/src/wire/accepted.ts';
import { seededChoices } from '../../test/faults/soak/seeded-choices.ts';
import type { Tools } from '../../test/outcomes/generated/seen-media.ts';
import { pathsBelow } from '../../test/support/folders.ts';
import { NO_RATE_LIMITS } from '../../test/support/no-rate-limits.ts';
import { adminLogin, call, getJob, isFinal } from '../lib/api.ts';
import { type Program, startService } from '../lib/service.ts';
import { type Deviation, judgeResult, LOSSES } from './judge-result.ts';
import { type MediaFacts, readMedia } from './media-facts.ts';
import { type ComparedRequest, drawRequests } from './requests.ts';
import { runProgram } from './run-program.ts';

export const TOOLS = ['Telecine', 'ffmpeg', 'HandBrake'] as const;
export type Tool = (typeof TOOLS)[number];

/** What a tool made of a request. `told`: the deviations that it names. */
export interface Outcome {
  readonly seconds: number;
  readonly failed?: string;
  readonly told: readonly Deviation[];
  readonly silent: readonly Deviation[];
}

export interface Pair {
  readonly file: string;
  readonly request: ComparedRequest;
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
  /** Files whose path has this text. */
  readonly only?: string;
  readonly programs: Tools;
  /** Absent: without HandBrake. */
  readonly handbrakePath?: string;
  readonly program?: Program;
  readonly say: (line: string) => void;
}

const REQUESTS_PER_FILE = 5;
const LIMIT_SECONDS = 180;

/** Draws requests about files, runs each by each tool, and judges all results in the same way. */
export async function compareFiles(options: CompareOptions): Promise<readonly Pair[]> {
  const { folder, mediaFolder, count, seed, minutes, only = '', programs, program, say } = options;
  const mediaRoot = join(folder, 'media');
  await mkdir(join(mediaRoot, 'in'), { recursive: true });
  await mkdir(join(folder, 'bare'));
  const dataDir = join(folder, 'data');
  const service = await startService({
    ...{ dataDir, mediaRoot, program },
    env: { ...NO_RATE_LIMITS, TELECINE_CONSOLE: 'off', TELECINE_CONCURRENCY: '2' },
  });
  const from = performance.now();
  const pairs: Pair[] = [];
  try {
    const files = await drawFiles(mediaFolder, only, seed, Math.ceil(count / REQUESTS_PER_FILE));
    await pLimit(2).map(files, async (path, number) => {
      if (performance.now() - from > minutes * 60_000) return;
      const { accessToken: token } = await adminLogin(service.url, dataDir);
      const file = `in/${number}${extname(path).toLowerCase()}`;
      await copyFile(join(mediaFolder, path), join(mediaRoot, file));
      const source = await readMedia(programs, join(mediaRoot, file));
      const requests = drawRequests(source, seededChoices(seed + number), REQUESTS_PER_FILE);
      for (const [at, request] of requests.entries()) {
        const output = `${number}-${at}.${request.to}`;
        const judge = (tool: Tool, run: ToolRun) => judgeRun(programs, source, request, tool, run);
        const outcomes: Partial<Record<Tool, Outcome>> = {
          Telecine: await judge(
            'Telecine',
            await runTelecine(service.url, token, mediaRoot, file, request, `out/${output}`),
          ),
          ffmpeg: await judge(
            'ffmpeg',
            await runFfmpeg(programs.ffmpegPath, join(mediaRoot, file), request, join(folder, 'bare', output)),
          ),
        };
        if (options.handbrakePath !== undefined && request.handbrake !== undefined) {
          const result = join(folder, 'bare', `handbrake-${output}`);
          outcomes.HandBrake = await judge(
            'HandBrake',
            await runHandbrake(options.handbrakePath, join(mediaRoot, file), request, result),
          );
        }
        pairs.push({ file: path, request, outcomes });
        for (const [tool, outcome] of Object.entries(outcomes)) sayOutcome(say, path, request, tool, outcome);
      }
      await rm(join(mediaRoot, file));
    });
  } finally {
    await service.stop();
  }
  return pairs;
}

function sayOutcome(
  say: (line: string) => void,
  path: string,
  { kind }: ComparedRequest,
  tool: string,
  outcome: Outcome,
): void {
  const list = (all: readonly Deviation[]): string => all.map(({ loss, text }) => `${loss}: ${text}`).join('; ');
  const { failed, silent, told } = outcome;
  const what =
    failed !== undefined
      ? `FAILED ${failed}`
      : silent.length > 0
        ? `SILENT ${list(silent)}`
        : told.length > 0
          ? `told ${list(told)}`
          : 'right';
  say(`${path} | ${kind} | ${tool} | ${what}`);
}

async function drawFiles(folder: string, only: string, seed: number, count: number): Promise<readonly string[]> {
  const paths: string[] = [];
  for (const path of await pathsBelow(folder))
    if (path.includes(only) && (await stat(join(folder, path))).isFile()) paths.push(path);
  const chance = seededChoices(seed);
  const drawn = paths.toSorted().map((path) => ({ path, rank: chance.between(0, 1) }));
  return drawn
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ path }) => path);
}

interface ToolRun {
  readonly seconds: number;
  readonly failed?: string;
  /** What the tool says about the result: warnings, or lines of its log. */
  readonly said: readonly string[];
  readonly result: string;
}

async function runTelecine(
  url: string,
  token: string,
  mediaRoot: string,
  input: string,
  request: ComparedRequest,
  output: string,
): Promise<ToolRun> {
  const from = performance.now();
  const { preset } = request;
  const { status, body } = await call<AcceptedView>(`${url}/api/conversion`, {
    token,
    body: { input, output, ...(preset && { preset }) },
  });
  const run = { result: join(mediaRoot, output), said: [] };
  const seconds = (): number => (performance.now() - from) / 1000;
  if (status !== 202) return { ...run, seconds: seconds(), failed: `${status} ${JSON.stringify(body)}` };
  for (;;) {
    const job = await getJob(url, token, body.jobId);
    const said = (job.warnings ?? []).map((warning) => JSON.stringify(warning));
    if (!isFinal(job)) await new Promise((resolve) => setTimeout(resolve, 20));
    else if (job.status === 'COMPLETED') return { ...run, said, seconds: seconds() };
    else return { ...run, said, seconds: seconds(), failed: `${job.error?.code}: ${job.error?.message}` };
  }
}

async function runFfmpeg(
  program: string,
  input: string,
  { before = [], ffmpeg }: ComparedRequest,
  result: string,
): Promise<ToolRun> {
  const args = [
    '-nostdin',
    '-y',
    '-hide_banner',
    '-v',
    'warning',
    ...before,
    '-i',
    `file:${input}`,
    ...ffmpeg,
    `file:${result}`,
  ];
  const { code, stderr, seconds } = await runProgram(program, args, LIMIT_SECONDS);
  const said = stderr.split('\n');
  return { seconds, said, result, ...(code !== 0 && { failed: said.filter(Boolean).at(-1) ?? `exit code ${code}` }) };
}

/** HandBrake's log has a line for each of its decisions: those that tell a problem name it so. */
const PROBLEM = /warn|error|fail|unsupported|unknown|invalid|skip|drop|discard|ignor|lost|missing|not /i;

async function runHandbrake(
  program: string,
  input: string,
  { handbrake = [] }: ComparedRequest,
  result: string,
): Promise<ToolRun> {
  const { code, stderr, seconds } = await runProgram(program, ['-i', input, '-o', result, ...handbrake], LIMIT_SECONDS);
  const lines = stderr.split('\n').filter((line) => PROBLEM.test(line));
  const bytes = await stat(result).then(
    ({ size }) => size,
    () => 0,
  );
  const failed = code !== 0 || bytes === 0;
  return { seconds, said: lines, result, ...(failed && { failed: lines.at(-1) ?? `exit code ${code}` }) };
}

async function judgeRun(
  programs: Tools,
  source: MediaFacts | undefined,
  request: ComparedRequest,
  tool: Tool,
  run: ToolRun,
): Promise<Outcome> {
  const { seconds, failed, said, result } = run;
  if (failed !== undefined) return { seconds, failed, told: [], silent: [] };
  const seen = await readMedia(programs, result);
  await rm(result, { force: true });
  if (source === undefined)
    return { seconds, told: [], silent: seen === undefined ? [{ loss: 'length', text: 'nothing in it' }] : [] };
  const found: readonly Deviation[] =
    seen === undefined ? [{ loss: 'length', text: 'nothing in it' }] : judgeResult(source, seen, request.expected);
  // ffmpeg's lines about streams and frames are about what it reads, unless it names the loss itself.
  const isTold = ({ loss }: Deviation): boolean =>
    said.some((line) => LOSSES[loss].test(line)) && (tool !== 'ffmpeg' || loss !== 'tracks');
  return { seconds, told: found.filter(isTold), silent: found.filter((one) => !isTold(one)) };
}
