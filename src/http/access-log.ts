import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from './deps.ts';

/**
 * One line a request, when its response is over or its client is gone. Never the query string, which may hold
 * secrets of clients that know no better; never a header.
 */
export function logAccess(logger: HttpDeps['logger'], request: FastifyRequest, reply: FastifyReply, ms: number): void {
  const query = request.url.indexOf('?');
  logger.info(
    {
      requestId: request.id,
      method: request.method,
      path: query < 0 ? request.url : request.url.slice(0, query),
      status: reply.statusCode,
      ms: Math.round(ms * 100) / 100,
      clientId: request.caller?.clientId,
      address: request.ip,
      aborted: reply.raw.writableFinished ? undefined : true,
    },
    'request',
  );
}
