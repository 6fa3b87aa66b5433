import { useMutation } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { nameOf } from '../files/file-list.ts';
import { JobLink } from '../jobs/job-link.tsx';
import { OutputPicture } from '../jobs/output-picture.tsx';
import { JobProgress } from '../jobs/progress.tsx';
import { shownOutputs } from '../jobs/shown-outputs.ts';
import { StatusBadge } from '../jobs/status-badge.tsx';

import { outputAddress } from '../media/media-address.ts';
import { Button, LinkButton } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import styles from './running-list.module.css';
import { useRunningJob } from './use-running-job.ts';

/** Several jobs that were started together: one line for each, with its name, progress, size and download. */
export function RunningList({
  jobIds,
  batchId,
  onEnded,
  onNext,
}: {
  readonly jobIds: readonly string[];
  readonly batchId: string | undefined;
  readonly onEnded: (job: Job) => void;
  readonly onNext: () => void;
}) {
  const [ended, setEnded] = useState<ReadonlyMap<string, Job>>(new Map());
  const note = (job: Job): void => {
    setEnded((before) => new Map(before).set(job.jobId, job));
    onEnded(job);
  };
  const hasOutputs = [...ended.values()].some(({ status }) => status === 'COMPLETED');
  const isDone = ended.size === jobIds.length;
  return (
    <div className={styles.list}>
      <div className={styles.head}>
        <p role="status">
          {isDone ? `All ${jobIds.length} jobs have ended.` : `${ended.size} of ${jobIds.length} jobs have ended.`}
        </p>
        {isDone && (
          <div className={styles.actions}>
            {batchId !== undefined && hasOutputs && (
              <LinkButton variant="primary" href={`/api/conversions/${batchId}/outputs.zip`} download>
                Download all as one zip
              </LinkButton>
            )}
            <Button onClick={onNext}>Convert more like this</Button>
          </div>
        )}
      </div>
      <ul>
        {jobIds.map((jobId) => (
          <Line key={jobId} jobId={jobId} onEnded={note} />
        ))}
      </ul>
    </div>
  );
}

function Line({ jobId, onEnded }: { readonly jobId: string; readonly onEnded: (job: Job) => void }) {
  const { job, error } = useRunningJob(jobId, onEnded);
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
          <span>
            {job.error.message} {job.error.fix}
          </span>
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
