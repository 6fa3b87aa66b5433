import type { FastifyReply, FastifyRequest } from 'fastify';

/** The level that pino calls info. */
const INFO = 30;

/**
 * The one line that the log has of a request, in pino's shape, with its newline. Never the query string, which may
 * hold secrets of clients that know no better; never a header. Put together by hand: pino takes 3.5 µs for it, a
 * sixth of what a submission takes in all.
 */
export function accessLine(request: FastifyRequest, reply: FastifyReply, ms: number): string {
  const { url, caller } = request;
  const query = url.indexOf('?');
  const path = JSON.stringify(query < 0 ? url : url.slice(0, query));
  const client = caller === null ? '' : `,"clientId":${JSON.stringify(caller.clientId)}`;
  const aborted = reply.raw.writableFinished ? '' : ',"aborted":true';
  return (
    `{"level":${INFO},"time":${Date.now()},"requestId":"${request.id}","method":"${request.method}","path":${path},` +
    `"status":${reply.statusCode},"ms":${ms.toFixed(2)}${client},"address":${JSON.stringify(request.ip)}${aborted},"msg":"request"}\n`
  );
}
