import type { FailureCode } from '../../domain/failure.ts';
import type { JobChange } from '../job-changes.ts';
import type { CountedEvent, HistoryCount, HistoryCounts, JobHistoryStore } from '../ports/job-history.ts';
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
  let counts = new Map<string, { readonly stepSeconds: number; readonly count: HistoryCount }>();

  const add = (stepSeconds: number, count: HistoryCount): void => {
    const key = `${stepSeconds} ${count.at} ${count.event} ${count.code ?? ''}`;
    const before = counts.get(key)?.count;
    const jobs = (before?.jobs ?? 0) + count.jobs;
    const waitedMs = (before?.waitedMs ?? 0) + count.waitedMs;
    counts.set(key, { stepSeconds, count: { ...count, jobs, waitedMs } });
  };

  return {
    count({ event, code, waitedMs = 0 }) {
      const nowMs = deps.now().getTime();
      for (const { stepSeconds } of Object.values(SPANS)) {
        const at = new Date(stepOf(nowMs, stepSeconds)).toISOString();
        // Clocks of several machines may differ.
        const waited = Math.max(0, Math.round(waitedMs));
        add(stepSeconds, { at, event, ...(code !== undefined && { code }), jobs: 1, waitedMs: waited });
      }
    },

    async flush() {
      if (counts.size === 0) return;
      const flushed = [...counts.values()];
      counts = new Map();
      try {
        await deps.history.add(byStep(flushed));
      } catch (error) {
        for (const { stepSeconds, count } of flushed) add(stepSeconds, count);
        throw error;
      }
    },
  };
}

/** Counts what a change of a job means for the history. Its start is counted by the worker, which knows how long it was queued. */
export function recordChange(recorder: Pick<HistoryRecorder, 'count'>, change: JobChange): void {
  if (change.kind === 'created') recorder.count({ event: 'ACCEPTED' });
  if (change.kind !== 'ended') return;
  const { status, code } = change;
  recorder.count({ event: status, ...(status === 'FAILED' && code !== undefined && { code }) });
}

/** In the same order in every process, so that two of them never wait for each other's rows. */
const byStep = (
  counted: readonly { readonly stepSeconds: number; readonly count: HistoryCount }[],
): readonly HistoryCounts[] =>
  Object.values(SPANS).map(({ stepSeconds }) => ({
    stepSeconds,
    counts: counted
      .filter((one) => one.stepSeconds === stepSeconds)
      .map(({ count }) => count)
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)),
  }));

const keyOf = ({ at, event, code }: HistoryCount): string => `${at} ${event} ${code ?? ''}`;
