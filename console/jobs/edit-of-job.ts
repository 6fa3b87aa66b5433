import type { Job, Session } from '@telecine/client';
import type { MendedJob } from '../workbench/draft.ts';
import type { OpenedRequest } from '../workbench/draft-history.ts';
import { asNewRequest, jobHasKeys, retriedRequest } from './job-request.ts';
import { failureText } from './text-for-reader.ts';

/**
 * What the workbench opens to run a job again with changes. A failed job runs again for its client, whoever edits it. undefined: the user cannot
 * edit the job: only its client changes the request of a job with keys. `hasWatch`: its watch exists, and runs its jobs again itself.
 */
export function editOfJob(
  job: Job,
  session: Pick<Session, 'clientId'> | null | undefined,
  hasWatch: boolean,
): OpenedRequest | undefined {
  if (job.analysis !== undefined || session === null || session === undefined) return undefined;
  const { jobId, client, status } = job;
  const isOwn = session.clientId === client;
  const mends = failureOf(job, session.clientId);
  if (!isOwn && jobHasKeys(job)) return undefined;
  if (!hasWatch && (status === 'FAILED' || (status === 'CANCELLED' && !isOwn)))
    return { request: retriedRequest(job), mends, retries: { jobId, ...(!isOwn && { client }) } };
  return isOwn ? { request: asNewRequest(retriedRequest(job)), mends } : undefined;
}

/** What the button says that opens the request of a job. A job that has not ended goes on as it is. */
export const editLabel = ({ completedAt }: Pick<Job, 'completedAt'>): string =>
  completedAt === undefined ? 'Edit a copy' : 'Edit and run again';

/** What the workbench shows about a failed job to the client `reader`. undefined: the job did not fail. */
function failureOf(job: Job, reader: string): MendedJob | undefined {
  const failure = failureText(job, reader);
  if (job.status !== 'FAILED' || failure === undefined) return undefined;
  const apply = job.error?.apply;
  return { jobId: job.jobId, ...failure, ...(apply !== undefined && { apply }) };
}
