import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import type { AcceptedView } from '../../../packages/contract/src/wire/accepted.ts';
import type { JobView } from '../../../packages/contract/src/wire/job.ts';
import { adminLogin, call, getJob, isFinal } from '../../../scripts/lib/api.ts';
import { type Program, startService } from '../../../scripts/lib/service.ts';
import { seededChoices } from '../../faults/soak/seeded-choices.ts';
import { NO_RATE_LIMITS } from '../../support/no-rate-limits.ts';
import { drawRequest, type GeneratedRequest } from './expected-results.ts';
import { type Deviation, judge, splitTold } from './judge.ts';
import { seeMedia, type Tools } from './seen-media.ts';
import { drawSource, makeSource, type Source } from './sources.ts';

export interface OutcomesOptions {
  /** An empty folder. */
  readonly folder: string;
  readonly count: number;
  readonly seed: number;
  /** The number of the first combination that runs. */
  readonly first?: number;
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
}

/** How many combinations share a source. */
const REQUESTS_PER_SOURCE = 4;

/** Converts generated sources by generated requests on a service of its own, and compares each result with its source. */
export async function runOutcomes(options: OutcomesOptions): Promise<OutcomesReport> {
  const { folder, count, seed, first = 0, programs, program, say = () => {} } = options;
  const mediaRoot = join(folder, 'media');
  await mkdir(mediaRoot);
  const dataDir = join(folder, 'data');
  const service = await startService({
    dataDir,
    mediaRoot,
    program,
    env: { ...NO_RATE_LIMITS, TELECINE_CONSOLE: 'off', TELECINE_CONCURRENCY: '2' },
  });
  const { accessToken: token } = await adminLogin(service.url, dataDir);
  const totals = { right: 0, told: 0, rejected: 0 };
  const faults: string[] = [];
  const judgeOne = async (number: number, source: Source, generated: GeneratedRequest): Promise<void> => {
    const outcome = await convert(service.url, token, generated);
    const what = `${number} ${JSON.stringify(source)} ${JSON.stringify(generated.request)}`;
    if ('rejected' in outcome) {
      totals.rejected += 1;
      say(`${number} rejected: ${outcome.rejected}`);
      return;
    }
    const path = outcome.job.outputs?.[0]?.path ?? '';
    const seen = await seeMedia(programs, join(mediaRoot, path)).catch((error: Error) => error);
    const deviations: readonly Deviation[] =
      seen instanceof Error
        ? [{ kind: 'frames', text: `does not decode: ${seen.message}` }]
        : judge(source, generated.expected, seen);
    const { told, defects } = splitTold(deviations, outcome.job.warnings ?? []);
    if (defects.length > 0) {
      const found = defects.map(({ kind, text }) => `${kind}: ${text}`).join('; ');
      faults.push(`${what} ${found}`);
      say(`${number} ${generated.request.output} of ${source.path}: ${found}`);
    } else if (told.length > 0) totals.told += 1;
    else totals.right += 1;
  };
  try {
    const limit = pLimit(2);
    const sources = Array.from({ length: Math.ceil(count / REQUESTS_PER_SOURCE) }, (_, place) => place);
    await limit.map(sources, async (place) => {
      const from = first + place * REQUESTS_PER_SOURCE;
      const chance = seededChoices(seed + from);
      const source = drawSource(chance, from);
      const requests = Array.from({ length: REQUESTS_PER_SOURCE }, (_, at) => drawRequest(chance, source, from + at));
      await makeSource(programs.ffmpegPath, mediaRoot, source);
      for (const [at, generated] of requests.entries())
        if (place * REQUESTS_PER_SOURCE + at < count) await judgeOne(from + at, source, generated);
    });
  } finally {
    await service.stop();
  }
  return { ...totals, faults };
}

type Outcome = { readonly job: JobView } | { readonly rejected: string };

async function convert(url: string, token: string, { request }: GeneratedRequest): Promise<Outcome> {
  const { status, body } = await call<AcceptedView>(`${url}/api/conversion`, { token, body: request });
  if (status !== 202) return { rejected: `${status} ${JSON.stringify(body).slice(0, 300)}` };
  for (;;) {
    const job = await getJob(url, token, body.jobId);
    if (!isFinal(job)) await new Promise((resolve) => setTimeout(resolve, 50));
    else if (job.status === 'COMPLETED') return { job };
    else return { rejected: `${job.error?.code}: ${job.error?.message}` };
  }
}
