import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';

/** Call it when a request begins. It returns the function to call once the response is over or the client is gone. */
export type AccessLog = (request: FastifyRequest, reply: FastifyReply) => () => void;

/**
 * Logs one line a request. It never holds the query string, which may carry secrets, and never a header.
 * undefined: the log level leaves out such lines.
 */
export function openAccessLog(logRequest: HttpDeps['logRequest']): AccessLog | undefined {
  if (logRequest === undefined) return undefined;
  return (request, reply) => {
    const startMs = performance.now();
    // Read now: the address is no longer known once the client has hung up.
    const address = request.ip ?? '';
    return () => {
      const { id, method, url, caller, rpcRequest } = request;
      const queryAt = url.indexOf('?');
      logRequest({
        requestId: id,
        method,
        path: queryAt < 0 ? url : url.slice(0, queryAt),
        status: reply.statusCode,
        ms: Math.round((performance.now() - startMs) * 100) / 100,
        clientId: caller?.clientId,
        address,
        rpc: rpcRequest?.rpc,
        llmId: rpcRequest?.llmId,
        aborted: reply.raw.writableFinished ? undefined : true,
      });
    };
  };
}
