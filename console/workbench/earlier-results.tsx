import { useQueries } from '@tanstack/react-query';
import { ClientError, type Job } from '@telecine/client';
import { jobQuery } from '../jobs/job-query.ts';
import { useLiveJob, useLiveList } from '../jobs/live-jobs-connection.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { Section } from '../ui/section.tsx';
import { JobLine } from './job-line.tsx';

/**
 * The jobs that the user has started before the last ones, so that a result can be downloaded after the next conversion. Renders nothing if all
 * of them were deleted since.
 */
export function EarlierResults({ jobIds }: { readonly jobIds: readonly string[] }) {
  const jobs = useQueries({ queries: jobIds.map((jobId) => jobQuery(jobId)) });
  const deleted = useLiveList((live) => jobIds.filter((jobId) => live.isDeleted(jobId)).join(' '));
  const error = jobs.find((read) => read.error !== null && !isMissing(read.error))?.error;
  const found = jobs.flatMap(({ data, error }) =>
    data === undefined || isMissing(error) || deleted.split(' ').includes(data.jobId) ? [] : [data],
  );
  if (found.length === 0 && error === undefined) return null;
  return (
    <Section variant="quiet" title="Earlier results">
      <ul>
        {found.map((job) => (
          <EarlierResult key={job.jobId} job={job} />
        ))}
      </ul>
      {error !== undefined && <ProblemNotice error={error} />}
    </Section>
  );
}

const isMissing = (error: unknown): boolean => error instanceof ClientError && error.status === 404;

const EarlierResult = ({ job }: { readonly job: Job }) => <JobLine job={useLiveJob(job.jobId, job)} />;
