import type { Job } from '@telecine/client';
import { outputText } from './job-names.ts';

/** What a notification says when the jobs that were started together have ended. */
export function endedText(jobs: readonly Job[]): { readonly title: string; readonly body: string } {
  const [only, ...others] = jobs;
  const failed = jobs.filter(({ status }) => status !== 'COMPLETED');
  if (only !== undefined && others.length === 0) {
    const { status, error, message } = only;
    return status === 'COMPLETED'
      ? { title: 'Conversion complete', body: outputText(only) }
      : { title: status === 'FAILED' ? 'Conversion failed' : 'Conversion cancelled', body: error?.message ?? message };
  }
  const body =
    failed.length === 0 ? `All ${jobs.length} are complete.` : `${failed.length} of ${jobs.length} are not complete.`;
  return { title: `${jobs.length} conversions have ended`, body };
}

/** The progress of jobs together, in whole percent. undefined: none runs. */
export function percentOf(jobs: readonly (Job | undefined)[]): number | undefined {
  const known = jobs.flatMap((job) => job ?? []);
  if (!known.some(({ status }) => status === 'PROCESSING')) return undefined;
  const sum = known.reduce((all, { status, progress = 0 }) => all + (status === 'COMPLETED' ? 100 : progress), 0);
  // Only the end is 100 %.
  return Math.min(99, Math.floor(sum / jobs.length));
}
