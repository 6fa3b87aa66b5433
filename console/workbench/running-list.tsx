import type { Job } from '@telecine/client';
import { useEffect, useState } from 'react';
import { Button, LinkButton } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { JobLine } from './job-line.tsx';
import { NotifyQuestion } from './notify-question.tsx';
import { type Run, takesLong } from './run.ts';
import styles from './running-list.module.css';
import { useRunningJob } from './use-running-job.ts';

/** Several jobs that were started together: one line for each, with its name, progress, size and download. */
export function RunningList({
  run: { jobIds, batchId, ended, fixedIds = [] },
  onEnded,
  onFixed,
  onNext,
}: {
  readonly run: Run;
  readonly onEnded: (job: Job) => void;
  readonly onFixed: (failed: Job, jobId: string) => void;
  readonly onNext: () => void;
}) {
  const [isLong, setLong] = useState(false);
  // The zip has the outputs of the batch.
  const hasZip = [...ended.values()].some(({ status, jobId }) => status === 'COMPLETED' && !fixedIds.includes(jobId));
  const isDone = ended.size === jobIds.length;
  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <p role="status">
          {isDone ? `All ${jobIds.length} jobs have ended.` : `${ended.size} of ${jobIds.length} jobs have ended.`}
        </p>
        {isDone && (
          <div className={styles.actions}>
            {batchId !== undefined && hasZip && (
              <LinkButton variant="primary" href={`/api/conversions/${batchId}/outputs.zip`} download>
                {fixedIds.length === 0 ? 'Download all as one zip' : 'Download the others as one zip'}
              </LinkButton>
            )}
            <Button onClick={onNext}>Convert more like this</Button>
          </div>
        )}
      </div>
      {!isDone && <NotifyQuestion isLong={isLong} />}
      <ul>
        {jobIds.map((jobId) => (
          <RunningLine
            key={jobId}
            jobId={jobId}
            unfinished={jobIds.length - ended.size}
            onLong={setLong}
            onEnded={onEnded}
            onFixed={onFixed}
          />
        ))}
      </ul>
    </div>
  );
}

/** A job of the list. Tells whether the list takes long, and when the job has ended. */
function RunningLine({
  jobId,
  unfinished,
  onLong,
  onEnded,
  onFixed,
}: {
  readonly jobId: string;
  /** The number of jobs of the list that have not ended. */
  readonly unfinished: number;
  readonly onLong: (isLong: true) => void;
  readonly onEnded: (job: Job) => void;
  readonly onFixed: (failed: Job, jobId: string) => void;
}) {
  const { job, error } = useRunningJob(jobId, onEnded);
  const isLong = job !== undefined && takesLong(job, unfinished);
  useEffect(() => {
    if (isLong) onLong(true);
  }, [isLong, onLong]);
  if (job === undefined) return error === null ? null : <ProblemNotice error={error} />;
  return <JobLine job={job} onFixed={onFixed} />;
}
