import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import { isUnretriedFailure } from '../../packages/contract/src/domain/retries.ts';
import { client } from '../app/client.ts';
import { isPreviewJob } from '../preview/preview-job.ts';
import ink from '../ui/ink.module.css';
import { outputText } from './job-names.ts';

/** The number of failed jobs that are read. Some of them may have been run again, or are previews. */
const READ = 50;

/** Links to the newest failed job of the same client that was not run again. Renders nothing if there is none. */
export function NextFailure({ job: { jobId, client: owner } }: { readonly job: Job }) {
  const failed = useQuery({
    queryKey: ['next-failure', jobId],
    queryFn: ({ signal }) => client.list({ status: 'FAILED', client: owner, limit: READ, signal }),
  });
  const next = failed.data?.jobs.find((one) => isUnretriedFailure(one) && !isPreviewJob(one));
  if (next === undefined) return null;
  return (
    <p className={ink.soft}>
      Another job has failed:{' '}
      <Link to="/jobs/$jobId" params={{ jobId: next.jobId }}>
        {outputText(next) || 'Job'}
      </Link>
    </p>
  );
}
