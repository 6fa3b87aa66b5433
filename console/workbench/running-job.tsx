import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import { useEffect } from 'react';
import { client } from '../app/client.ts';
import { lazyComponent } from '../app/lazy-component.tsx';
import { outputText } from '../jobs/job-names.ts';
import { JobProgress } from '../jobs/progress.tsx';
import { StatusBadge } from '../jobs/status-badge.tsx';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { JobFailure } from './job-failure.tsx';
import { NotifyQuestion } from './notify-question.tsx';
import { takesLong } from './run.ts';
import styles from './running-job.module.css';
import { useRunningJob } from './use-running-job.ts';

const ResultCard = lazyComponent(async () => (await import('../jobs/result-card.tsx')).ResultCard);

/** A job that was started in the workbench, and its result. Updated while the job runs. */
export function RunningJob({
  jobId,
  onEnded,
  onFixed,
  onNext,
  onUse,
}: {
  readonly jobId: string;
  readonly onEnded: (job: Job) => void;
  /** The job has failed, and `jobId` runs in its place. */
  readonly onFixed: (failed: Job, jobId: string) => void;
  readonly onNext: () => void;
  readonly onUse: (path: string) => void;
}) {
  const { job, error: readError } = useRunningJob(jobId, onEnded);
  // Load the card while the job runs. If that fails, rendering the card says why.
  useEffect(ResultCard.preload, []);
  const cancel = useMutation({ mutationFn: () => client.cancel(jobId) });
  if (job === undefined) return readError === null ? null : <ProblemNotice error={readError} />;
  const { status, links } = job;
  return (
    <div className={styles.job}>
      <div className={styles.line}>
        <StatusBadge status={status} />
        {status !== 'COMPLETED' && <span className={styles.name}>{outputText(job)}</span>}
        <Link to="/jobs/$jobId" params={{ jobId }}>
          Open the job
        </Link>
        {links.cancel !== undefined && (
          <Button variant="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
      </div>
      {/* On a line of its own from the start: the time left comes later, and must not move the button. */}
      {links.cancel !== undefined && (
        <div className={styles.progress}>
          <JobProgress job={job} />
        </div>
      )}
      <JobFailure job={job} onFixed={onFixed} />
      {links.cancel !== undefined && <NotifyQuestion isLong={takesLong(job)} />}
      {cancel.error !== null && <ProblemNotice error={cancel.error} />}
      {status === 'COMPLETED' && <ResultCard job={job} hasPlayer onNext={onNext} onUse={onUse} />}
    </div>
  );
}
