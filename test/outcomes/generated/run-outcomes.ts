import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { AcceptedView } from '../../../packages/contract/src/wire/accepted.ts';
import type { JobView } from '../../../packages/contract/src/wire/job.ts';
import { adminLogin, call, getJob, isFinal } from '../../../scripts/lib/api.ts';
import { type Program, startService } from '../../../scripts/lib/service.ts';
import { seededChoices } from '../../faults/soak/seeded-choices.ts';
import { NO_RATE_LIMITS } from '../../support/no-rate-limits.ts';
import { drawRequest, type GeneratedRequest, kindsFor } from './expected-results.ts';
import { type Deviation, judge, splitTold } from './judge.ts';
import { type PlantedFault, plantFault } from './planted-faults.ts';
import { type SeenMedia, seeMedia, type Tools } from './seen-media.ts';
import { drawSource, makeSource, type Source } from './sources.ts';

export interface OutcomesOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly combinations: readonly Combinations[];
  /** The fault that is planted into the result of a combination, to show that it is found. */
  readonly plants?: (combination: Combinations['requests'][number]) => PlantedFault | undefined;
  readonly programs: Tools;
  readonly program?: Program;
  readonly say?: (line: string) => void;
}

export interface OutcomesReport {
  readonly right: number;
  readonly told: number;
  /** Requests that the service rejected, or that failed with a reason. */
  readonly rejected: number;
  /** Deviations that no warning tells, each with the source and the request. */
  readonly faults: readonly string[];
  /** Planted faults that were not found. */
  readonly unfound?: readonly string[];
}

/** How many combinations share a source. */
const REQUESTS_PER_SOURCE = 4;

export interface Combinations {
  readonly source: Source;
  readonly requests: readonly (GeneratedRequest & { readonly number: number })[];
}

/** Draws the combinations from a number on. The same seed and number draw the same combination. */
export function drawCombinations(seed: number, first: number, count: number): readonly Combinations[] {
  return Array.from({ length: Math.ceil(count / REQUESTS_PER_SOURCE) }, (_, place) => {
    const from = first + place * REQUESTS_PER_SOURCE;
    // Seeds beside each other must not draw the same: "seed + from" would.
    const chance = seededChoices(seed + Math.imul(from + 1, 0x9e3779b1));
    const source = drawSource(chance, from, chance.pick({ film: 16, sound: 4, picture: 1 }));
    const kinds: Record<string, number> = Object.fromEntries(kindsFor(source).map((name) => [name, 1]));
    const requests = Array.from({ length: Math.min(REQUESTS_PER_SOURCE, first + count - from) }, (__, at) => {
      const kind = chance.pick(kinds);
      // An image has fewer kinds than combinations.
      kinds[kind] = 0.001;
      return { ...drawRequest(chance, source, from + at, kind), number: from + at };
    });
    return { source, requests };
  });
}

/** Converts generated sources by generated requests on a service of its own, and compares each result with its source. */
export async function runOutcomes(options: OutcomesOptions): Promise<OutcomesReport> {
  const { folder, combinations, programs, program, plants, say = () => {} } = options;
  const mediaRoot = join(folder, 'media');
  await mkdir(mediaRoot);
  const dataDir = join(folder, 'data');
  const service = await startService({
    dataDir,
    mediaRoot,
    program,
    env: {
      ...NO_RATE_LIMITS,
      ...{ TELECINE_CONSOLE: 'off', TELECINE_CONCURRENCY: '2' },
      ...{ FFMPEG_PATH: programs.ffmpegPath, FFPROBE_PATH: programs.ffprobePath },
    },
  });
  const totals = { right: 0, told: 0, rejected: 0 };
  const [faults, unfound]: readonly [string[], string[]] = [[], []];
  const judgeOne = async (source: Source, from: SeenMedia, one: Combinations['requests'][number]): Promise<void> => {
    const { number, request, expected } = one;
    const { accessToken: token } = await adminLogin(service.url, dataDir);
    const outcome = await convert(service.url, token, one);
    if ('rejected' in outcome) {
      totals.rejected += 1;
      say(`${number} ${one.kind} of ${source.path} rejected: ${outcome.rejected}`);
      // A crash is no reason that a client can follow.
      if (outcome.rejected.includes('crashed'))
        faults.push(`${number} ${JSON.stringify(source)} ${JSON.stringify(request)} crashed`);
      return;
    }
    const path = join(mediaRoot, outcome.job.outputs?.[0]?.path ?? '');
    const plant = plants?.(one);
    if (plant !== undefined) await plantFault(programs.ffmpegPath, plant, path, source);
    const seen = await seeMedia(programs, path).catch((error: Error) => error);
    const deviations: readonly Deviation[] =
      seen instanceof Error
        ? [{ kind: 'frames', text: `does not decode: ${seen.message.slice(0, 400)}` }]
        : judge(source, from, expected, seen);
    const warnings = outcome.job.warnings ?? [];
    const { told, defects } = splitTold(deviations, warnings);
    if (defects.length > 0) {
      const texts = defects.map(({ kind, text }) => `${kind}: ${text}`).join('; ');
      const found =
        `${plant ?? ''} ${texts} (warnings: ${warnings.map(({ code }) => code).join(', ') || 'none'})`.trim();
      faults.push(`${number} ${JSON.stringify(source)} ${JSON.stringify(request)} ${found}`);
      say(`${number} ${one.kind} to ${path.replace(/.*[.]/, '')} of ${source.path}: ${found}`);
    } else if (told.length > 0) totals.told += 1;
    else totals.right += 1;
    if (plant !== undefined && defects.length === 0)
      unfound.push(`${plant} in ${number} ${one.kind} of ${source.path}`);
  };
  try {
    await pLimit(2).map(combinations, async ({ source, requests }) => {
      await makeSource(programs.ffmpegPath, mediaRoot, source);
      const from = await seeMedia(programs, join(mediaRoot, source.path));
      for (const one of requests) await judgeOne(source, from, one);
    });
  } finally {
    await service.stop();
  }
  return { ...totals, faults, ...(plants && { unfound }) };
}

type Outcome = { readonly job: JobView } | { readonly rejected: string };

/** Submits a request, and waits until its job has ended. */
export async function convert(
  url: string,
  token: string,
  { request }: Pick<GeneratedRequest, 'request'>,
): Promise<Outcome> {
  const { status, body } = await call<AcceptedView>(`${url}/api/conversion`, { token, body: request });
  if (status !== 202) return { rejected: `${status} ${JSON.stringify(body).slice(0, 300)}` };
  for (;;) {
    const job = await getJob(url, token, body.jobId);
    if (!isFinal(job)) await new Promise((resolve) => setTimeout(resolve, 50));
    else if (job.status === 'COMPLETED') return { job };
    else return { rejected: `${job.error?.code}: ${job.error?.message}` };
  }
}
