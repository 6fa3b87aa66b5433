import { useMutation } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useEffect, useState } from 'react';
import { client } from '../app/client.ts';
import { nameOf } from '../files/file-list.ts';
import { ApplyFix } from '../jobs/apply-fix.tsx';
import { JobLink } from '../jobs/job-link.tsx';
import { OutputPicture } from '../jobs/output-picture.tsx';
import { JobProgress } from '../jobs/progress.tsx';
import { shownOutputs } from '../jobs/shown-outputs.ts';
import { StatusBadge } from '../jobs/status-badge.tsx';
import { outputAddress } from '../media/media-address.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { WithCode } from '../ui/with-code.tsx';
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
          <Line
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

function Line({
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
  const cancel = useMutation({ mutationFn: () => client.cancel(jobId) });
  if (job === undefined) return error === null ? null : <ProblemNotice error={error} />;
  const { outputs = [], outputCount = 0, links } = job;
  const [first] = outputs;
  const shown = shownOutputs(job)[0];
  const bytes = outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const address = first && outputAddress(job, first.path)?.();
  return (
    <li className={styles.line}>
      <OutputPicture job={job} output={shown} />
      <span className={styles.name}>
        <JobLink jobId={jobId} />
        <span className={styles.soft}>
          <StatusBadge status={job.status} />
          <JobProgress job={job} />
          {outputs.length > 0 && <span>{formatBytes(bytes)}</span>}
          {outputCount > 1 && <span>{outputCount} files</span>}
        </span>
        {job.error !== undefined && (
          <>
            <span>
              <WithCode text={job.error.message} /> {job.error.fix && <WithCode text={job.error.fix} />}
            </span>
            <ApplyFix job={job} onStarted={(started) => onFixed(job, started)} />
          </>
        )}
        {cancel.error !== null && <ProblemNotice error={cancel.error} />}
      </span>
      {address !== undefined && outputCount === 1 && (
        <LinkButton href={address} download={nameOf(first?.path ?? '')} aria-label={`Download ${first?.path}`}>
          Download
        </LinkButton>
      )}
      {links.cancel !== undefined && (
        <Button variant="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      )}
    </li>
  );
}
