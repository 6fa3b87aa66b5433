import type { FailureCode } from '@telecine/contract/domain/failure.ts';
import type { JobChange } from './job-changes.ts';
import type { CountedEvent, FailedJob, HistoryCount, HistoryCounts, JobHistoryStore } from './ports/job-records.ts';

type HistorySpan = 'hour' | 'day' | 'week' | 'month';

/**
 * The length and the number of the steps of each span. Counts are stored separately for each step length, so that even
 * a history of a month reads few rows.
 */
const SPANS = {
  hour: { stepSeconds: 60, steps: 60 },
  day: { stepSeconds: 300, steps: 288 },
  week: { stepSeconds: 3600, steps: 168 },
  month: { stepSeconds: 14_400, steps: 180 },
} as const satisfies Record<HistorySpan, { readonly stepSeconds: number; readonly steps: number }>;

/** Returns the start of the step that contains the time `ms`, in milliseconds. */
const stepOf = (ms: number, stepSeconds: number): number => ms - (ms % (stepSeconds * 1000));

/** Returns the start of the first step of a span that ends now, in ISO 8601. */
export function firstStep(span: HistorySpan, nowMs: number): string {
  const { stepSeconds, steps } = SPANS[span];
  return new Date(stepOf(nowMs, stepSeconds) - (steps - 1) * stepSeconds * 1000).toISOString();
}

interface CountedJob {
  readonly event: CountedEvent;
  readonly code?: FailureCode;
  /** How long the job was queued, in milliseconds. Absent if the job has not started. */
  readonly waitedMs?: number;
}

type HistoryRecorder = ReturnType<typeof historyRecorder>;

/**
 * Counts events in memory and stores the sums from time to time. If each transaction of a job counted its event, all of
 * them would write to the same row and wait for each other. A crash loses the counts since the last flush.
 */
export function historyRecorder(deps: { readonly history: Pick<JobHistoryStore, 'add'>; readonly now: () => Date }) {
  // `findLast` is fast enough: there are few entries, and the wanted one is usually the last.
  let counts: MinuteCount[] = [];

  const add = ({ minute, event, code, jobs, waitedMs }: Readonly<MinuteCount>): void => {
    const counted = counts.findLast((one) => one.event === event && one.minute === minute && one.code === code);
    if (counted === undefined) counts.push({ minute, event, code, jobs, waitedMs });
    else {
      counted.jobs += jobs;
      counted.waitedMs += waitedMs;
    }
  };

  return {
    /** Counts an event. Returns at once and never throws. */
    count({ event, code, waitedMs = 0 }: CountedJob): void {
      const minute = stepOf(deps.now().getTime(), SPANS.hour.stepSeconds);
      // The clocks of the machine that accepted the job and of this one may differ. Do not count a negative time.
      add({ minute, event, code, jobs: 1, waitedMs: Math.max(0, Math.round(waitedMs)) });
    },

    /** Stores the counts. If that fails, keeps them for the next call, and throws the error. */
    async flush(): Promise<void> {
      if (counts.length === 0) return;
      const flushed = counts;
      counts = [];
      try {
        await deps.history.add(Object.values(SPANS).map(({ stepSeconds }) => inSteps(flushed, stepSeconds)));
      } catch (error) {
        for (const count of flushed) add(count);
        throw error;
      }
    },
  };
}

/** The events of one minute, which is the shortest step. All longer steps are whole numbers of minutes. */
interface MinuteCount {
  /** When the minute began, in milliseconds. */
  readonly minute: number;
  readonly event: CountedEvent;
  readonly code: FailureCode | undefined;
  jobs: number;
  waitedMs: number;
}

/**
 * Counts the submission or the end of a job. The worker itself counts the start, because only the worker knows how long
 * the job was queued.
 */
export function recordChange(recorder: Pick<HistoryRecorder, 'count'>, change: JobChange): void {
  if (change.kind === 'created') recorder.count({ event: 'ACCEPTED' });
  if (change.kind !== 'ended') return;
  const { status, code } = change;
  recorder.count({ event: status, ...(status === 'FAILED' && code !== undefined && { code }) });
}

/**
 * Adds up the counts of minutes into longer steps. Sorts the result, so that all processes lock rows in the same order
 * and do not deadlock.
 */
function inSteps(minutes: readonly Readonly<MinuteCount>[], stepSeconds: number): HistoryCounts {
  const counts = new Map<string, HistoryCount>();
  for (const { minute, event, code, ...counted } of minutes) {
    const at = new Date(stepOf(minute, stepSeconds)).toISOString();
    const key = `${at} ${event} ${code ?? ''}`;
    const { jobs, waitedMs } = counts.get(key) ?? { jobs: 0, waitedMs: 0 };
    const sums = { jobs: jobs + counted.jobs, waitedMs: waitedMs + counted.waitedMs };
    counts.set(key, { at, event, ...(code !== undefined && { code }), ...sums });
  }
  return { stepSeconds, counts: [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count) };
}

export type ReadHistory = ReturnType<typeof historyReader>;

/**
 * Creates the function that reads a history. `flush`: stores the counts of this process first, so that the history
 * includes them.
 */
export const historyReader =
  (deps: {
    readonly history: Pick<JobHistoryStore, 'read' | 'lastFailed'>;
    readonly flush: () => Promise<void>;
    readonly now: () => Date;
  }) =>
  async (span: HistorySpan) => {
    await deps.flush();
    const from = firstStep(span, deps.now().getTime());
    const [counts, failed] = await Promise.all([
      deps.history.read(SPANS[span].stepSeconds, from),
      deps.history.lastFailed(MAX_FAILED),
    ]);
    return toHistory(span, from, counts, failed);
  };

/** The maximum number of failed jobs that are read to say which clients they are of. It takes some milliseconds. */
const MAX_FAILED = 1000;

/** The failed jobs of one client with one error code. */
interface ClientFailures {
  readonly client: string;
  readonly jobs: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly lastJobId: string;
}

/**
 * Arranges counts as the steps of a history. Pure. `from`: the start of the first step. `failed`: failed jobs that still
 * exist, in any order.
 */
export function toHistory(
  span: HistorySpan,
  from: string,
  counts: readonly HistoryCount[],
  failed: readonly FailedJob[] = [],
) {
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
    .map(([code, all]) => ({
      code,
      jobs: sumOf(all),
      clients: failuresByClient(failed.filter((job) => job.code === code && job.failedAt >= from)),
    }))
    .toSorted((a, b) => b.jobs - a.jobs || (a.code < b.code ? -1 : 1));
  return { span, stepSeconds, points, failures };
}

/** Adds up failed jobs by client, first the client with the most of them. */
const failuresByClient = (failed: readonly FailedJob[]): ClientFailures[] =>
  [...Map.groupBy(failed, ({ clientId }) => clientId)]
    .map(([client, jobs]) => {
      const inOrder = jobs.toSorted((a, b) => (a.failedAt < b.failedAt ? -1 : 1));
      const [first, last] = [inOrder[0], inOrder.at(-1)];
      return {
        client,
        jobs: jobs.length,
        ...{ firstAt: first?.failedAt ?? '', lastAt: last?.failedAt ?? '', lastJobId: last?.jobId ?? '' },
      };
    })
    .toSorted((a, b) => b.jobs - a.jobs || (a.client < b.client ? -1 : 1));

const sumOf = (counts: readonly { readonly jobs: number }[]): number => counts.reduce((sum, { jobs }) => sum + jobs, 0);

/**
 * Returns the step of a history that begins at `at`. `started`: the number of jobs whose first attempt began in this
 * step. `waitedSeconds`: how long these jobs were queued on average.
 */
function toPoint(at: string, counts: readonly HistoryCount[]) {
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

/** Deletes the counts that no history shows: for each step length, those older than the span that has these steps. */
export async function forgetHistory(history: Pick<JobHistoryStore, 'forgetBefore'>, nowMs: number): Promise<void> {
  for (const span of Object.keys(SPANS) as HistorySpan[])
    await history.forgetBefore(SPANS[span].stepSeconds, firstStep(span, nowMs));
}
