import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission, JobOperations } from '../../jobs/operations.ts';
import { callerOf } from '../auth/authenticate.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A reserved place in the queue, from before the body is read until `withAdmission` takes it over. */
    admission: Admission | null;
  }
}

/** A dry run queues nothing, so it needs no place. */
const isDryRun = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'dryRun' in query && query.dryRun === 'true';

/**
 * A hook that reserves a place in the queue before the body is read. `withAdmission` or `releaseAdmission` releases it.
 * Throws TOO_MANY_PENDING.
 */
export const reserveAdmission =
  (jobs: JobOperations) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isDryRun(request.query)) return;
    request.admission = await jobs.admit(callerOf(request));
    if (reply.raw.closed) releaseAdmission(request);
  };

/** Releases a place that no work has taken over. Call it when the response is over or its connection is closed. */
export function releaseAdmission(request: FastifyRequest): void {
  request.admission?.release(false);
  request.admission = null;
}

/**
 * Runs work that may create a job, and then releases the place of the request. The work continues if the client closes
 * the connection, so the end of the connection no longer releases the place.
 */
export async function withAdmission<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { admission } = request;
  request.admission = null;
  let accepted = false;
  try {
    const result = await work();
    accepted = true;
    return result;
  } finally {
    admission?.release(accepted);
  }
}
