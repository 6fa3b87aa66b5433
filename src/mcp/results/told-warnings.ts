import type { Job } from '../../domain/job.ts';
import type { Warning } from '../../domain/plan.ts';

/** The most jobs whose warnings are remembered. After that, and after a restart, warnings are told again. */
const MAX_JOBS = 1000;

/** Which warnings the submissions of jobs have told, so that later results only count them. */
export interface ToldWarnings {
  add(jobIds: readonly string[], warnings: readonly Warning[]): void;
  /** The warnings of a job that its submission did not tell, and the number of the others. */
  of(job: Pick<Job, 'jobId' | 'warnings'>): { readonly untold: readonly Warning[]; readonly told: number };
}

// A batch tells a warning of several jobs once, without the field.
const keyOf = ({ code, message }: Warning): string => `${code} ${message}`;

export function toldWarnings(): ToldWarnings {
  const told = new Map<string, ReadonlySet<string>>();
  return {
    add(jobIds, warnings) {
      if (warnings.length === 0) return;
      const keys = new Set(warnings.map(keyOf));
      for (const jobId of jobIds) told.set(jobId, keys);
      for (const jobId of told.keys()) {
        if (told.size <= MAX_JOBS) break;
        told.delete(jobId);
      }
    },
    of({ jobId, warnings = [] }) {
      const keys = told.get(jobId);
      const untold = keys === undefined ? warnings : warnings.filter((warning) => !keys.has(keyOf(warning)));
      return { untold, told: warnings.length - untold.length };
    },
  };
}
