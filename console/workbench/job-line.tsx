import { useMutation } from '@tanstack/react-query';
import type { Job } from '@telecine/client';
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
import { JobFailure } from './job-failure.tsx';
import styles from './job-line.module.css';

/** A started job in a list: its name, progress, size and download. */
export function JobLine({
  job,
  onFixed,
}: {
  readonly job: Job;
  /** The job has failed, and `jobId` runs in its place. undefined: a failed job is not fixed here. */
  readonly onFixed?: (failed: Job, jobId: string) => void;
}) {
  const { jobId, outputs = [], outputCount = 0, links } = job;
  const cancel = useMutation({ mutationFn: () => client.cancel(jobId) });
  const [first] = outputs;
  const bytes = outputs.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const address = first && outputAddress(job, first.path)?.();
  return (
    <li className={styles.line}>
      <OutputPicture job={job} output={shownOutputs(job)[0]} />
      <span className={styles.name}>
        <JobLink jobId={jobId} />
        <span className={styles.soft}>
          <StatusBadge status={job.status} />
          <JobProgress job={job} />
          {outputs.length > 0 && <span>{formatBytes(bytes)}</span>}
          {outputCount > 1 && <span>{outputCount} files</span>}
        </span>
        <JobFailure job={job} onFixed={onFixed} />
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
