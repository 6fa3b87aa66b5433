import { copyFile, mkdir, rm } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import pLimit from 'p-limit';
import { seededChoices } from '../../test/faults/soak/seeded-choices.ts';
import type { Tools } from '../../test/outcomes/generated/seen-media.ts';
import { pathsBelow } from '../../test/support/folders.ts';
import { NO_RATE_LIMITS } from '../../test/support/no-rate-limits.ts';
import { adminLogin } from '../lib/api.ts';
import { type Program, startService } from '../lib/service.ts';
import { type Deviation, judgeResult, LOSSES } from './judge-result.ts';
import { type MediaFacts, readMedia } from './media-facts.ts';
import { type ComparedRequest, drawRequests } from './requests.ts';
import { runTool, TOOLS, type Tool, type ToolRun } from './run-tools.ts';

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
  /** Files whose path has this text. */
  readonly only: string;
  readonly programs: Tools;
  readonly handbrakePath: string | undefined;
  readonly program: Program;
  readonly say: (line: string) => void;
}

const REQUESTS_PER_FILE = 5;

/** Draws requests about files, runs each by each tool, and judges all results in the same way. */
export async function compareFiles(options: CompareOptions): Promise<readonly Pair[]> {
  const { folder, mediaFolder, count, seed, minutes, only, programs, program, handbrakePath, say } = options;
  const [mediaRoot, dataDir] = [join(folder, 'media'), join(folder, 'data')];
  await mkdir(join(mediaRoot, 'in'), { recursive: true });
  const env = { ...NO_RATE_LIMITS, TELECINE_CONSOLE: 'off', TELECINE_CONCURRENCY: '2' };
  const service = await startService({ dataDir, mediaRoot, program, env });
  const from = performance.now();
  const pairs: Pair[] = [];
  try {
    const files = await drawFiles(mediaFolder, only, seed, Math.ceil(count / REQUESTS_PER_FILE));
    await pLimit(2).map(files, async (path, number) => {
      if (performance.now() - from > minutes * 60_000) return;
      const { accessToken: token } = await adminLogin(service.url, dataDir);
      const input = `in/${number}${extname(path).toLowerCase()}`;
      await copyFile(path, join(mediaRoot, input));
      const source = await readMedia(programs, join(mediaRoot, input));
      const installation = { ...programs, ...{ url: service.url, token, mediaRoot, folder, handbrakePath } };
      for (const request of drawRequests(source, seededChoices(seed + number), REQUESTS_PER_FILE)) {
        const pair = { file: relative(mediaFolder, path), kind: request.kind };
        const outcomes: Partial<Record<Tool, Outcome>> = {};
        for (const tool of TOOLS) {
          const started = performance.now();
          const run = await runTool(tool, installation, input, request, `${number}-${request.kind}.${request.to}`);
          if (run === undefined) continue;
          const seconds = (performance.now() - started) / 1000;
          const outcome = { seconds, ...(await judgeRun(programs, source, request, tool, run)) };
          outcomes[tool] = outcome;
          say(`${pair.file} | ${pair.kind} | ${tool} | ${textOf(outcome)}`);
        }
        pairs.push({ ...pair, outcomes });
      }
      await rm(join(mediaRoot, input));
    });
  } finally {
    await service.stop();
  }
  return pairs;
}

async function drawFiles(folder: string, only: string, seed: number, count: number): Promise<readonly string[]> {
  const chance = seededChoices(seed);
  const paths = (await pathsBelow(folder)).filter((path) => path.includes(only) && extname(path) !== '');
  const drawn = paths.toSorted().map((path) => ({ path: join(folder, path), rank: chance.between(0, 1) }));
  return drawn
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .map(({ path }) => path);
}

async function judgeRun(
  programs: Tools,
  source: MediaFacts | undefined,
  { expected }: ComparedRequest,
  tool: Tool,
  { failed, said, result }: ToolRun,
): Promise<Omit<Outcome, 'seconds'>> {
  if (failed !== undefined) return { failed, told: [], silent: [] };
  const seen = await readMedia(programs, result);
  await rm(result, { force: true });
  const found: readonly Deviation[] =
    seen === undefined
      ? [{ loss: 'length', text: 'nothing in it' }]
      : source === undefined
        ? []
        : judgeResult(source, seen, expected);
  // ffmpeg's lines about streams are about what it reads.
  const isTold = ({ loss }: Deviation): boolean =>
    said.some((one) => LOSSES[loss].test(one)) && (tool !== 'ffmpeg' || loss !== 'tracks');
  return { told: found.filter(isTold), silent: found.filter((one) => !isTold(one)) };
}

function textOf({ failed, silent, told }: Outcome): string {
  const list = (all: readonly Deviation[]): string => all.map(({ loss, text }) => `${loss}: ${text}`).join('; ');
  if (failed !== undefined) return `FAILED ${failed}`;
  return silent.length > 0 ? `SILENT ${list(silent)}` : told.length > 0 ? `told ${list(told)}` : 'right';
}
