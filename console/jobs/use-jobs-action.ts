import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { actOnJobs, type JobsAction } from './act-on-jobs.ts';

export interface StartedAction extends JobsAction {
  /** Leaves the jobs that it has not come to as they are. */
  readonly stop: () => void;
}

// It goes on while other pages are shown, so it is not the state of a component. Null: its result was read.
const actionQuery = queryOptions<StartedAction | null>({
  queryKey: ['action on jobs'],
  queryFn: skipToken,
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});

/** The newest action on many jobs, and how to start one. Only one runs at a time. */
export function useJobsAction() {
  const queries = useQueryClient();
  const { data } = useQuery(actionQuery);
  return {
    action: data ?? undefined,
    /** Resolves to the jobs that were acted on or could not be. */
    start: (kind: JobsAction['kind'], jobIds: readonly string[]): Promise<readonly string[]> => {
      const stop = new AbortController();
      const act = (jobId: string) => (kind === 'retry' ? client.retry(jobId) : client.cancel(jobId));
      const show = (action: JobsAction): void => {
        const started: StartedAction = { ...action, stop: () => stop.abort() };
        queries.setQueryData(actionQuery.queryKey, () => started);
      };
      return actOnJobs(kind, jobIds, act, show, stop.signal);
    },
    dismiss: () => queries.setQueryData(actionQuery.queryKey, null),
  };
}
