import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { client } from '../app/client.ts';
import { jobQuery } from '../jobs/job-query.ts';
import { useLiveJob } from '../jobs/live-jobs-connection.tsx';
import { JobProgress } from '../jobs/progress.tsx';
import { ResultView } from '../jobs/result-view.tsx';
import { shownOutputs } from '../jobs/shown-outputs.ts';
import { StatusBadge } from '../jobs/status-badge.tsx';
import { Button } from '../ui/button.tsx';
import { formatBytes } from '../ui/format.ts';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import styles from './running-job.module.css';

/** A job that was started in the workbench, and its outputs. Updated while the job runs. */
export function RunningJob({ jobId }: { readonly jobId: string }) {
  const read = useQuery(jobQuery(jobId));
  const job = useLiveJob(jobId, read.data);
  const cancel = useMutation({ mutationFn: () => client.cancel(jobId) });
  const queries = useQueryClient();
  const hasEnded = job?.completedAt !== undefined;
  useEffect(() => {
    // Check the draft again, because the outputs of this job may exist at the paths of the next job.
    if (hasEnded) void queries.invalidateQueries({ queryKey: ['dry-run'] });
  }, [hasEnded, queries]);
  if (job === undefined) return read.error === null ? null : <ProblemNotice error={read.error} />;
  const { status, error, outputs, outputCount = 0, links } = job;
  const result = shownOutputs(job)[0];
  return (
    <div className={styles.job}>
      <div className={styles.line}>
        <StatusBadge status={status} />
        <JobProgress job={job} />
        <Link to="/jobs/$jobId" params={{ jobId }}>
          Open the job
        </Link>
        {links.cancel !== undefined && (
          <Button variant="quiet" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            Cancel
          </Button>
        )}
      </div>
      {error !== undefined && (
        <p>
          {error.message} {error.fix}
        </p>
      )}
      {cancel.error !== null && <ProblemNotice error={cancel.error} />}
      {status === 'COMPLETED' && (
        <>
          {result !== undefined && <ResultView key={result.path} job={job} output={result} />}
          <ul className={styles.outputs}>
            {outputs?.map(({ path, sizeBytes }) => (
              <li key={path}>
                <a href={`${links.output}?path=${encodeURIComponent(path)}`}>Download {path}</a>
                {/* Omit the size of a single output, which is already shown below its preview. */}
                {(result === undefined || outputs.length > 1) && ` ${formatBytes(sizeBytes)}`}
              </li>
            ))}
            {outputs !== undefined && outputCount > outputs.length && <li>and {outputCount - outputs.length} more</li>}
          </ul>
        </>
      )}
    </div>
  );
}
