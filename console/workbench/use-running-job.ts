import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useEffect, useRef } from 'react';
import { jobQuery } from '../jobs/job-query.ts';
import { useLiveJob } from '../jobs/live-jobs-connection.tsx';
import { DRY_RUNS } from './dry-run-query.ts';

/** A job that was started in the workbench, kept up to date. Calls `onEnded` once, when the job has ended. */
export function useRunningJob(jobId: string, onEnded: (job: Job) => void) {
  const read = useQuery(jobQuery(jobId));
  const job = useLiveJob(jobId, read.data);
  const queries = useQueryClient();
  const isReported = useRef(false);
  useEffect(() => {
    if (job?.completedAt === undefined || isReported.current) return;
    isReported.current = true;
    onEnded(job);
    // Check the draft again, because the outputs of this job may exist at the paths of the next job.
    void queries.invalidateQueries({ queryKey: DRY_RUNS });
  }, [job, onEnded, queries]);
  return { job, error: read.error };
}
