import { Problem } from '@telecine/contract/domain/problem.ts';
import { tally } from '@telecine/contract/domain/tally.ts';
import { isDryRun } from '@telecine/contract/wire/dry-run.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobOperations } from '../../jobs/job-operations.ts';
import type { Admission } from '../../jobs/submit/pending-quota.ts';
import { runAdmitted } from '../../jobs/submit/pending-quota.ts';
import { callerOf } from '../auth/authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The room in the queue that is reserved for this request before its body is read. null: there is none, or
     * `withAdmission` has taken it over.
     */
    admission: Admission | null;
  }
}

/** Creates a hook that reserves room in the queue before the body is read. Throws TOO_MANY_PENDING. */
export const reserveAdmission =
  (jobs: JobOperations) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // A dry run queues no job and needs no reservation.
    if (isDryRun(request.query)) return;
    request.admission = await jobs.admit(callerOf(request));
    if (reply.raw.closed) releaseAdmission(request);
  };

/**
 * Releases the reservation of a request, unless `withAdmission` has taken it over. Call this when the response is
 * closed.
 */
export function releaseAdmission(request: FastifyRequest): void {
  request.admission?.release(false);
  request.admission = null;
}

/**
 * Runs work that may create a job. The work, not the request, then holds the reserved room in the queue: the work
 * continues if the client disconnects.
 */
export function withAdmission<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { admission } = request;
  request.admission = null;
  return runAdmitted(admission, work);
}

/** How many uploads of a client may run at the same time. Each takes a connection, an open file and disk space. */
const MAX_UPLOADS = 16;

/** How many uploads by one link may run at the same time. They take none of those of its client. */
const MAX_UPLOADS_OF_LINK = 4;

/** Creates a hook that limits how many uploads of a client, or by a link, run at the same time. */
export function limitUploads() {
  const running = tally();
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { share } = request;
    const [who, most, whose] =
      share === null
        ? [callerOf(request).clientId, MAX_UPLOADS, 'of this client']
        : [share.shareId, MAX_UPLOADS_OF_LINK, 'by this link'];
    if (running.of(who) >= most)
      throw new Problem('TOO_MANY_UPLOADS', `${most} uploads ${whose} are running. Retry when one ends.`, {
        retryAfterSeconds: 1,
      });
    running.add(who);
    reply.raw.once('close', () => running.remove(who));
  };
}
