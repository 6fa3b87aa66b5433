import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ShortId } from '../operate/short-id.tsx';
import { outputText } from './job-names.ts';
import { jobQuery } from './job-query.ts';
import { useLiveJob } from './live-jobs-connection.tsx';

/** A link to a job. Shows the id until the job is read, then the name of its output. */
export function JobLink({ jobId }: { readonly jobId: string }) {
  const read = useQuery(jobQuery(jobId));
  const job = useLiveJob(jobId, read.data);
  const name = job && outputText(job);
  return (
    <Link to="/jobs/$jobId" params={{ jobId }} title={jobId}>
      {name || <code>{jobId}</code>}
    </Link>
  );
}

/** A link to a job that is known by its id. */
export const JobIdLink = ({ jobId }: { readonly jobId: string }) => (
  <Link to="/jobs/$jobId" params={{ jobId }}>
    <ShortId id={jobId} />
  </Link>
);
