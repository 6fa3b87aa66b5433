import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LongReadOptions } from '../../jobs/job-reads.ts';
import { hangUpSignal } from '../server/hang-up.ts';

/** What the view of a job adds to what is stored of it: links, times, a message. */
const VIEW_BYTES = 2048;

/**
 * How a list of jobs is read for a reply: its memory is reserved before the jobs are read, and it is not read for a client that has
 * disconnected.
 */
export const readForReply = (request: FastifyRequest, reply: FastifyReply): LongReadOptions => ({
  hangUp: hangUpSignal(reply),
  reserve: (sizes) => {
    const bytes = sizes.reduce((sum, job) => sum + job.bytes + VIEW_BYTES, 0);
    request.server.requestHolds.reserveReply(request, bytes);
  },
});
