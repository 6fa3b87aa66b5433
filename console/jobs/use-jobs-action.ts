import { queryOptions, skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../app/client.ts';
import { actOnJobs, type JobsAction } from './act-on-jobs.ts';

export interface StartedAction extends JobsAction {
  /** Stops the action. The remaining jobs are unchanged. */
  readonly stop: () => void;
}

// The action continues while other pages are shown, so its state is not in a component. null: the user has dismissed the result.
const actionQuery = queryOptions<StartedAction | null>({
  queryKey: ['action on jobs'],
  queryFn: skipToken,
  staleTime: Number.POSITIVE_INFINITY,
  structuralSharing: false,
});

/** The newest action on several jobs, and a function that starts one. Only one action runs at a time. */
export function useJobsAction() {
  const queries = useQueryClient();
  const { data } = useQuery(actionQuery);
  return {
    action: data ?? undefined,
    /** Resolves to the ids of the jobs that the service cancelled, retried or rejected. */
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
