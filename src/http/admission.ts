import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Admission, JobOperations } from '../jobs/operations.ts';
import { callerOf } from './caller.ts';
import { step } from './sync-or-async.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The place in the line, until the work that may make a job takes it over. */
    place: Admission | null;
  }
}

/** A dry run queues nothing and needs no place in the line. */
const isDryRun = (query: unknown): boolean =>
  typeof query === 'object' && query !== null && 'dryRun' in query && query.dryRun === 'true';

/** Takes a place in the line before the body is read. `leave` or `queue` gives it back. */
export function admit(jobs: JobOperations): onRequestHookHandler {
  return (request, reply, done) => {
    if (isDryRun(request.query)) {
      done();
      return;
    }
    const hold = (place: Admission): void => {
      request.place = place;
      if (reply.raw.closed) leave(request);
    };
    step(done, () => jobs.admit(callerOf(request)), hold);
  };
}

/** The response is over or its connection gone: gives back a place that no work has taken over. */
export function leave(request: FastifyRequest): void {
  request.place?.release(false);
  request.place = null;
}

/**
 * Runs what may make a job, and gives the place back by what came of it. That work goes on when its caller has
 * hung up, so that from here on the end of the connection says nothing.
 */
export async function queue<T>(request: FastifyRequest, work: () => Promise<T>): Promise<T> {
  const { place } = request;
  request.place = null;
  let accepted = false;
  try {
    const result = await work();
    accepted = true;
    return result;
  } finally {
    place?.release(accepted);
  }
}
