import { useQuery } from '@tanstack/react-query';
import { jobQuery } from '../jobs/job-query.ts';
import { useLiveJob } from '../jobs/live-jobs-connection.tsx';
import { Section } from '../ui/section.tsx';
import { JobLine } from './job-line.tsx';

/** The jobs that the user has started before the last ones, so that a result can be downloaded after the next conversion. */
export const EarlierResults = ({ jobIds }: { readonly jobIds: readonly string[] }) => (
  <Section variant="quiet" title="Earlier results">
    <ul>
      {jobIds.map((jobId) => (
        <EarlierResult key={jobId} jobId={jobId} />
      ))}
    </ul>
  </Section>
);

/** Nothing, if the job was deleted since. */
function EarlierResult({ jobId }: { readonly jobId: string }) {
  const read = useQuery(jobQuery(jobId));
  const job = useLiveJob(jobId, read.data);
  return job === undefined || read.isError ? null : <JobLine job={job} />;
}
