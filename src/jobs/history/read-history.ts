import type { FailureCode } from '../../domain/failure.ts';
import type { CountedEvent, HistoryCount, JobHistoryStore } from '../ports/job-records.ts';
import { firstStep, type HistorySpan, SPANS } from './spans.ts';

/** What happened to jobs in one step of time. */
export interface HistoryPoint {
  /** When the step began, as ISO 8601 text. */
  readonly at: string;
  readonly accepted: number;
  /** The jobs whose first attempt began. */
  readonly started: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  /** How long the jobs that started were queued, on average. Absent if none started. */
  readonly waitedSeconds?: number;
}

/** What happened to jobs until now. */
export interface JobHistory {
  readonly span: HistorySpan;
  readonly stepSeconds: number;
  /** A point for each step, oldest first. The last step is not over. */
  readonly points: readonly HistoryPoint[];
  /** Why jobs failed, the most frequent reason first. */
  readonly failures: readonly { readonly code: FailureCode; readonly jobs: number }[];
}

export type ReadHistory = (span: HistorySpan) => Promise<JobHistory>;

/** `flush`: stores what this process has counted, so that it is read too. */
export const historyReader =
  (deps: {
    readonly history: Pick<JobHistoryStore, 'read'>;
    readonly flush: () => Promise<void>;
    readonly now: () => Date;
  }): ReadHistory =>
  async (span) => {
    await deps.flush();
    const from = firstStep(span, deps.now().getTime());
    return toHistory(span, from, await deps.history.read(SPANS[span].stepSeconds, from));
  };

/** Orders counts by time. Pure. `from`: the beginning of the first step. */
export function toHistory(span: HistorySpan, from: string, counts: readonly HistoryCount[]): JobHistory {
  const { stepSeconds, steps } = SPANS[span];
  const byTime = Map.groupBy(counts, ({ at }) => at);
  const points = Array.from({ length: steps }, (_, step) => {
    const at = new Date(Date.parse(from) + step * stepSeconds * 1000).toISOString();
    return toPoint(at, byTime.get(at) ?? []);
  });
  const byCode = Map.groupBy(
    counts.flatMap(({ code, jobs }) => (code === undefined ? [] : [{ code, jobs }])),
    ({ code }) => code,
  );
  const failures = [...byCode]
    .map(([code, all]) => ({ code, jobs: sumOf(all) }))
    .toSorted((a, b) => b.jobs - a.jobs || (a.code < b.code ? -1 : 1));
  return { span, stepSeconds, points, failures };
}

const sumOf = (counts: readonly { readonly jobs: number }[]): number => counts.reduce((sum, { jobs }) => sum + jobs, 0);

function toPoint(at: string, counts: readonly HistoryCount[]): HistoryPoint {
  const jobs = (event: CountedEvent): number => sumOf(counts.filter((count) => count.event === event));
  const started = jobs('STARTED');
  const waitedMs = counts.reduce((sum, count) => sum + count.waitedMs, 0);
  return {
    at,
    accepted: jobs('ACCEPTED'),
    started,
    completed: jobs('COMPLETED'),
    failed: jobs('FAILED'),
    cancelled: jobs('CANCELLED'),
    ...(started > 0 && { waitedSeconds: waitedMs / started / 1000 }),
  };
}
