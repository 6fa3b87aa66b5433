import { parseBatchId, parseJobId } from '@telecine/contract/wire/job-id.ts';
import { parseLastEventId } from '@telecine/contract/wire/live-event.ts';
import type { EVENT_OPERATIONS } from '@telecine/contract/wire/operations/jobs.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { JobEventOptions } from '../../jobs/events/live-event.ts';
import { callerOf } from '../auth/authenticate.ts';
import { credentials } from '../auth/credential.ts';
import { streamWatch } from '../auth/open-streams.ts';
import type { HttpDeps } from '../deps.ts';
import type { RequestBudget } from '../limits/request-limit.ts';
import { type EventStream, openEventStream } from '../transfer/event-stream.ts';
import type { Handlers } from './handler.ts';

const DEFAULT_HEARTBEAT_SECONDS = 15;

export function eventHandlers(
  { jobs, tokens, sessions, publicUrl, logger, heartbeatSeconds = DEFAULT_HEARTBEAT_SECONDS }: HttpDeps,
  budget: Pick<RequestBudget, 'countReply' | 'msUntilReplies'>,
): Handlers<typeof EVENT_OPERATIONS> {
  const watch = streamWatch(heartbeatSeconds * 1000);
  const read = credentials({ tokens, sessions, publicUrl });

  const follow = async (
    request: FastifyRequest,
    reply: FastifyReply,
    of: Pick<JobEventOptions, 'jobId' | 'batchId'> = {},
  ): Promise<FastifyReply> => {
    const [caller, credential] = [callerOf(request), read(request)];
    // The reply to HEAD has no body, so check the request and open no stream.
    if (request.method === 'HEAD') {
      if (of.jobId !== undefined) await jobs.get(caller, of.jobId);
      if (of.batchId !== undefined) await jobs.findBatch(caller, of.batchId);
      return reply.type('text/event-stream; charset=utf-8').send();
    }
    const lastEventId = parseLastEventId(request.headers['last-event-id'] as string | undefined);
    const ending = new AbortController();
    const end = (): void => ending.abort();
    let stream: EventStream | undefined;
    let unwatch = (): void => {};
    const start = (): EventStream => {
      const opened = openEventStream(reply, caller, {
        count: (bytes) => budget.countReply(caller, bytes),
        msUntilMore: () => budget.msUntilReplies(caller),
      });
      stream = opened;
      unwatch = watch({
        credential,
        caller,
        get writtenAt() {
          return opened.writtenAt;
        },
        get blockedSince() {
          return opened.blockedSince;
        },
        heartbeat: opened.heartbeat,
        destroy: opened.destroy,
        revoke: () => {
          end();
          // Do not wait for a client that reads slowly: it could still read the rest of the stream for a minute.
          if (opened.blockedSince !== undefined) opened.destroy();
        },
      });
      return opened;
    };
    if (reply.raw.closed) end();
    else reply.raw.once('close', end);
    try {
      // Keep watching the stream until the client has read all of it.
      await jobs.follow(caller, {
        ...of,
        ...(lastEventId !== undefined && { lastEventId }),
        signal: ending.signal,
        start,
      });
    } catch (error) {
      if (stream === undefined) throw error;
      // Only log the error: the client connects again, and gets a problem document if the error is still there.
      logger.warn({ requestId: request.id, err: error }, 'event stream ended by an error');
    } finally {
      unwatch();
    }
    return stream === undefined ? reply.code(204).send() : reply;
  };

  return {
    followJob: (request, reply) => follow(request, reply, { jobId: parseJobId(request.params.jobId) }),
    followBatch: (request, reply) => follow(request, reply, { batchId: parseBatchId(request.params.batchId) }),
    followJobs: (request, reply) => follow(request, reply),
  };
}
