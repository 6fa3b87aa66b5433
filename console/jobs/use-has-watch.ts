import { useQuery } from '@tanstack/react-query';
import { ClientError, type Job } from '@telecine/client';
import { watchQuery } from '../watches/watches-query.ts';

/** Whether the watch of a job still exists: then the job runs again only in it. true until this is known. */
export function useHasWatch({ watchId }: Pick<Job, 'watchId'>): boolean {
  const { error } = useQuery({ ...watchQuery(watchId ?? ''), enabled: watchId !== undefined });
  return watchId !== undefined && !(error instanceof ClientError && error.code === 'WATCH_NOT_FOUND');
}
