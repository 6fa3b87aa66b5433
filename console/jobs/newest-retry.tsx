import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import { REPLACING_STATUSES } from '../../packages/contract/src/domain/retries.ts';
import { buttonClass } from '../ui/button.tsx';
import { JobIdLink } from './job-link.tsx';
import styles from './job-page.module.css';
import { jobQuery } from './job-query.ts';
import { useIsDeleted, useLiveJob, useReadAfterRetries, useReplacement } from './live-jobs-connection.tsx';
import { StatusBadge } from './status-badge.tsx';

interface Retry {
  readonly jobId: string;
  /** undefined: not read yet. */
  readonly status: Job['status'] | undefined;
}

/** The newest job that has taken the place of a job, live. `read`: its id when the job was read. */
export function useNewestRetry(jobId: string, read: string | undefined): Retry | undefined {
  useReadAfterRetries(read ?? '', ['job', jobId]);
  const retryId = useReplacement(jobId, read);
  const { data } = useQuery({ ...jobQuery(retryId ?? ''), enabled: retryId !== undefined });
  const status = useLiveJob(retryId ?? '', data)?.status;
  const isDeleted = useIsDeleted(retryId ?? '');
  const isCancelled = status !== undefined && !REPLACING_STATUSES.includes(status);
  return retryId === undefined || isDeleted || isCancelled ? undefined : { jobId: retryId, status };
}

/** Whether a failed job still waits for somebody: it was not run again, or that failed too. */
export const isUnmended = (retry: Retry | undefined): boolean => retry === undefined || retry.status === 'FAILED';

/** What became of a job that was run again. If its retry is complete, that job is the next thing to open. */
export function NewestRetry({
  retry: { jobId, status },
  isNext,
}: {
  readonly retry: Retry;
  /** Whether the job itself has no result. */
  readonly isNext: boolean;
}) {
  return (
    <div className={styles.retry}>
      <p>
        It was run again: <JobIdLink jobId={jobId} />
        {status !== undefined && ', '}
      </p>
      {status !== undefined && <StatusBadge status={status} />}
      {isNext && status === 'COMPLETED' && (
        <Link to="/jobs/$jobId" params={{ jobId }} className={buttonClass('primary')}>
          Open the completed job
        </Link>
      )}
    </div>
  );
}
