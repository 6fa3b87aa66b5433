import type { FailureCode } from '../../domain/failure.ts';
import type { JobChange } from '../job-changes.ts';
import type { CountedEvent, HistoryCount, HistoryCounts, JobHistoryStore } from '../ports/job-records.ts';
import { SPANS, stepOf } from './spans.ts';

/** Something that happened to a job. */
export interface CountedJob {
  readonly event: CountedEvent;
  /** Why it failed. */
  readonly code?: FailureCode;
  /** How long it was queued, if it started. */
  readonly waitedMs?: number;
}

/** Counts what happens to jobs in this process. */
export interface HistoryRecorder {
  /** Returns at once and never throws. */
  count(job: CountedJob): void;
  /** Stores what was counted. If that fails, it is kept for the next call. */
  flush(): Promise<void>;
}

/**
 * Counts in memory and stores the sums: a count in the transaction of each job would make all services write the same row. So a
 * crash loses the counts since the last flush.
 */
export function historyRecorder(deps: {
  readonly history: Pick<JobHistoryStore, 'add'>;
  readonly now: () => Date;
}): HistoryRecorder {
  // There are few, the latest at the end, and to compare them takes less than a key for each job.
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
    count({ event, code, waitedMs = 0 }) {
      const minute = stepOf(deps.now().getTime(), SPANS.hour.stepSeconds);
      // Clocks of several machines may differ.
      add({ minute, event, code, jobs: 1, waitedMs: Math.max(0, Math.round(waitedMs)) });
    },

    async flush() {
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

/** What happened to jobs in one minute, the shortest step. Every other step has whole minutes. */
interface MinuteCount {
  /** When it began, in milliseconds. */
  readonly minute: number;
  readonly event: CountedEvent;
  readonly code: FailureCode | undefined;
  jobs: number;
  waitedMs: number;
}

/** Counts what a change of a job means for the history. Its start is counted by the worker, which knows how long it was queued. */
export function recordChange(recorder: Pick<HistoryRecorder, 'count'>, change: JobChange): void {
  if (change.kind === 'created') recorder.count({ event: 'ACCEPTED' });
  if (change.kind !== 'ended') return;
  const { status, code } = change;
  recorder.count({ event: status, ...(status === 'FAILED' && code !== undefined && { code }) });
}

/** Sums the counts of minutes by longer steps. Sorts them, so that two processes never wait for each other's rows. */
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
