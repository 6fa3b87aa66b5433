import type { Job } from '@telecine/contract/domain/job.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';

/**
 * The number of jobs that are remembered. The warnings of older jobs are shown again, and after a restart those of all
 * jobs.
 */
const MAX_JOBS = 1000;

export type ShownWarnings = ReturnType<typeof shownWarnings>;

// The field is not part of the key, because a batch shows a warning once that several jobs have in different fields.
const keyOf = ({ code, message }: Warning): string => `${code} ${message}`;

/** Remembers which warnings submissions have shown. Later results give only the number of these warnings. */
export function shownWarnings() {
  const shown = new Map<string, ReadonlySet<string>>();
  return {
    add(jobIds: readonly string[], warnings: readonly Warning[]): void {
      if (warnings.length === 0) return;
      const keys = new Set(warnings.map(keyOf));
      for (const jobId of jobIds) shown.set(jobId, keys);
      for (const jobId of shown.keys()) {
        if (shown.size <= MAX_JOBS) break;
        shown.delete(jobId);
      }
    },
    /** Returns the warnings of a job that its submission has not shown, and how many it has shown. */
    of({ jobId, warnings = [] }: Pick<Job, 'jobId' | 'warnings'>) {
      const keys = shown.get(jobId);
      const unseen = keys === undefined ? warnings : warnings.filter((warning) => !keys.has(keyOf(warning)));
      return { unseen, seenCount: warnings.length - unseen.length };
    },
  };
}
