import type { Job } from '@telecine/client';
import { isFinished } from '../../packages/contract/src/domain/states.ts';
import { countText } from '../ui/format.ts';
import { type JobsAction, refusedCount } from './act-on-jobs.ts';

export const jobsText = (count: number): string => countText(count, 'job');

/** What became of running jobs that the service was told to cancel. */
export interface StoppingCounts {
  /** How many still run. */
  readonly stopping: number;
  /** How many were completed, or failed, before they were cancelled. */
  readonly ended: number;
}

/** A job without an event is not known to have stopped. */
export const isStopping = (status: Job['status'] | undefined): boolean => status === undefined || !isFinished(status);

/** A job can be completed, or fail, while the service cancels it. */
export const hasEndedOtherwise = (status: Job['status'] | undefined): boolean =>
  !isStopping(status) && status !== 'CANCELLED';

const NONE_STOPPING: StoppingCounts = { stopping: 0, ended: 0 };

/** The result of an action on several jobs, as sentences. */
export function jobsActionText(action: JobsAction, { stopping, ended } = NONE_STOPPING): readonly string[] {
  const { kind, count, done, refused, state, error } = action;
  const left = count - done - refusedCount(action);
  const cancelled = done - stopping - ended;
  return [
    ...(cancelled === 0 && done > 0
      ? []
      : [`${jobsText(cancelled)} ${kind === 'retry' ? 'submitted again' : 'cancelled'}.`]),
    ...(stopping > 0 ? [`${jobsText(stopping)} ${stopping === 1 ? 'is' : 'are'} being cancelled.`] : []),
    ...(ended > 0 ? [`${jobsText(ended)} ended before ${ended === 1 ? 'it' : 'they'} could be cancelled.`] : []),
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
