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
import { readMedia } from './media-facts.ts';
import { type ComparedRequest, drawRequests, shuffled } from './requests.ts';

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
  /** True if all tools have run, and not only because Telecine failed. */
  readonly isOfAll: boolean;
  readonly outcomes: Readonly<Partial<Record<Tool, Outcome>>>;
}

export interface CompareOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly media: string;
  readonly count: number;
  readonly seed: number;
  /** The number of the first file of those that the seed draws. */
  readonly first: number;
  /** For which share of the files the other tools run too. They always run if Telecine fails. */
  readonly share: number;
  readonly programs: Tools;
  /** The path of HandBrakeCLI. Empty: without it. */
  readonly handbrake: string;
  readonly program: Program;
}

interface Run {
  readonly failed?: string;
  /** What the tool says is lost (`lost` of its warnings), or lines of its log. */
  readonly said: readonly string[];
}

/** Runs a request. undefined: the tool does not do that, or is not installed. */
type RunTool = (request: ComparedRequest, input: string, result: string) => Promise<Run | undefined>;

const REQUESTS_PER_FILE = 5;

/** Draws files and requests about them, runs each by each tool, and judges all results in the same way. */
export async function compareFiles(options: CompareOptions): Promise<readonly Pair[]> {
  const { folder, media, count, seed, first, share, programs, program } = options;
  const [mediaRoot, dataDir] = [join(folder, 'media'), join(folder, 'data')];
  await mkdir(mediaRoot);
  const env = { ...NO_RATE_LIMITS, TELECINE_CONSOLE: 'off', TELECINE_CONCURRENCY: '2' };
  const service = await startService({ dataDir, mediaRoot, program, env });
  const run: Readonly<Record<Tool, RunTool>> = {
    ...otherTools(options),
    async Telecine({ recipe: [name, ...words] }, input, result) {
      const { accessToken: token } = await adminLogin(service.url, dataDir);
      const given = words.map((word) => word.split('=')).map(([key, value]) => [key, Number(value) || value]);
      const preset = name === undefined ? {} : { preset: { name, arguments: Object.fromEntries(given) } };
      const [from, to] = [input, result].map((path) => relative(mediaRoot, path));
      const outcome = await convert(service.url, token, {
        request: { input: from, output: to, ...preset } as ConversionRequest,
      });
      if ('rejected' in outcome) return { failed: outcome.rejected, said: [] };
      return { said: (outcome.job.warnings ?? []).flatMap(({ lost }) => lost ?? []) };
    },
  };
  const compareFile = async (file: string, number: number): Promise<readonly Pair[]> => {
    const chance = seededChoices(seed + first + number);
    const input = join(mediaRoot, `${number}${extname(file).toLowerCase()}`);
    await copyFile(join(media, file), input);
    const source = await readMedia(programs, input);
    const isOfAll = chance.happens(share);
    const pairs: Pair[] = [];
    for (const request of drawRequests(source, chance, REQUESTS_PER_FILE)) {
      const outcomes: Partial<Record<Tool, Outcome>> = {};
      for (const tool of TOOLS) {
        if (tool !== 'Telecine' && !isOfAll && outcomes.Telecine?.failed === undefined) continue;
        const result = join(mediaRoot, `${tool}-${number}-${request.kind}.${request.to}`);
        const started = performance.now();
        const ran = await run[tool](request, input, result);
        if (ran === undefined) continue;
        const seconds = (performance.now() - started) / 1000;
        const { turns } = request.expected;
        const found =
          ran.failed === undefined
            ? judgeResult(source, await readMedia(programs, result, turns), request.expected)
            : [];
        // ffmpeg's lines about streams are about what it reads.
        const isTold = ({ loss }: Deviation): boolean =>
          ran.said.some((one) => LOSSES[loss].test(one)) && (tool !== 'ffmpeg' || loss !== 'tracks');
        const [told, silent] = [found.filter(isTold), found.filter((one) => !isTold(one))];
        outcomes[tool] = { seconds, failed: ran.failed, told, silent };
        console.log(`${file} | ${request.kind} | ${tool} | ${textOf(outcomes[tool])}`);
        await rm(result, { force: true });
      }
      pairs.push({ file, kind: request.kind, isOfAll, outcomes });
    }
    await rm(input);
    return pairs;
  };
  try {
    const files = (await pathsBelow(media)).filter((path) => extname(path) !== '').toSorted();
    const last = first + Math.ceil(count / REQUESTS_PER_FILE);
    return (await pLimit(2).map(shuffled(files, seededChoices(seed)).slice(first, last), compareFile)).flat();
  } finally {
    await service.stop();
  }
}

/** HandBrake's log has a line for each of its decisions: those that tell a problem name it so. */
const PROBLEM = /warn|error|fail|unsupported|unknown|invalid|skip|drop|discard|ignor|lost|missing|not /i;

const otherTools = ({ programs, handbrake: program }: Pick<CompareOptions, 'programs' | 'handbrake'>) =>
  ({
    ffmpeg({ ffmpeg }, input, result) {
      const args = ffmpeg.flatMap((word) => (word === 'INPUT' ? ['-i', `file:${input}`] : [word]));
      const quiet = ['-nostdin', '-y', '-hide_banner', '-v', 'warning'];
      return runCommand(programs.ffmpegPath, [...quiet, ...args, `file:${result}`], result);
    },
    async HandBrake({ handbrake }, input, result) {
      if (program === '' || handbrake.length === 0) return undefined;
      const { said, ...run } = await runCommand(program, ['-i', input, '-o', result, ...handbrake], result);
      return { ...run, said: said.filter((line) => PROBLEM.test(line)) };
    },
  }) satisfies Partial<Record<Tool, RunTool>>;

async function runCommand(program: string, args: readonly string[], result: string): Promise<Run> {
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
