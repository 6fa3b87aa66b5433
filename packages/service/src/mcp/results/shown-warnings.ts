import type { Job } from '@telecine/contract/domain/job.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';

/** The most jobs in memory. The warnings of older jobs are shown again, and so are all after a restart. */
const MAX_JOBS = 1000;

export type ShownWarnings = ReturnType<typeof shownWarnings>;

// Without the field, because a batch shows a warning of several jobs once.
const keyOf = ({ code, message }: Warning): string => `${code} ${message}`;

/** Remembers the warnings that submissions have shown, so that later results only count them. */
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
    /** The warnings of a job that its submission did not show, and the number of the others. */
    of({ jobId, warnings = [] }: Pick<Job, 'jobId' | 'warnings'>) {
      const keys = shown.get(jobId);
      const unseen = keys === undefined ? warnings : warnings.filter((warning) => !keys.has(keyOf(warning)));
      return { unseen, seenCount: warnings.length - unseen.length };
    },
  };
}
