import { Link } from '@tanstack/react-router';
import type { JobFilter } from '../../jobs/job-filter.ts';

/** A number of jobs as a link to the list of these jobs. The number includes jobs of previews, so the list shows them too. */
export function JobsCount({
  count,
  filter: { status, q, client },
}: {
  readonly count: number;
  readonly filter: Pick<JobFilter, 'status' | 'q'> & { readonly client?: string | undefined };
}) {
  if (count === 0) return '0';
  return (
    <Link to="/jobs" search={{ ...(status && { status }), ...(q && { q }), ...(client && { client }), previews: true }}>
      {count.toLocaleString()}
    </Link>
  );
}
