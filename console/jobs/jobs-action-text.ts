import { countText } from '../ui/format.ts';
import { type JobsAction, refusedCount } from './act-on-jobs.ts';

export const jobsText = (count: number): string => countText(count, 'job');

/** The result of an action on several jobs, as sentences. `stopping`: how many cancelled jobs still run. */
export function jobsActionText(action: JobsAction, stopping = 0): readonly string[] {
  const { kind, count, done, refused, state, error } = action;
  const left = count - done - refusedCount(action);
  return [
    ...(stopping > 0 && stopping === done
      ? []
      : [`${jobsText(done - stopping)} ${kind === 'retry' ? 'submitted again' : 'cancelled'}.`]),
    ...(stopping > 0 ? [`${jobsText(stopping)} ${stopping === 1 ? 'is' : 'are'} being cancelled.`] : []),
    ...[...refused].map(([code, { jobs, message }]) => refusalText(code, jobs, message)),
    ...(left > 0 && state === 'stopped' ? [`Stopped: ${jobsText(left)} unchanged and still selected.`] : []),
    ...(left > 0 && error !== undefined
      ? [`${jobsText(left)} unchanged and still selected, because of an error:`]
      : []),
  ];
}

function refusalText(code: string, jobs: number, message: string): string {
  switch (code) {
    case 'JOB_FINISHED':
      return `${jobsText(jobs)} had ended before.`;
    case 'JOB_NOT_FINISHED':
      return `${jobsText(jobs)} had not ended.`;
    case 'JOB_NOT_FOUND':
      return `${jobsText(jobs)} had been deleted.`;
    default:
      return `${jobsText(jobs)} rejected${jobs > 1 ? ', the first' : ''}: ${message}`;
  }
}
