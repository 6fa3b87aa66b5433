import { Problem } from '../domain/problem.ts';
import { isUuid } from '../wire/job-id.ts';

/** A route whose path names a job. */
export interface JobRoute {
  Params: { jobId: string };
}

/** Ids are compared as the store writes them. Throws JOB_NOT_FOUND for what can be no id. */
export function jobIdOf({ params }: { readonly params: JobRoute['Params'] }): string {
  if (isUuid(params.jobId)) return params.jobId.toLowerCase();
  throw new Problem('JOB_NOT_FOUND', 'There is no job of this id: job ids are UUIDs.');
}
