import type { FastifyReply, FastifyRequest } from 'fastify';
import { hideLink } from '../../wire/signed-link.ts';
import type { HttpDeps } from '../deps.ts';
import { PROBE_ROUTES } from './probe-routes.ts';

/** Call it when a request begins. It returns a function to call when the response is closed. */
export type AccessLog = (request: FastifyRequest, reply: FastifyReply) => () => void;

/**
 * Logs one line per request, except for successful health checks and scrapes. It never contains a header, the query
 * string or a signed link, which may be secrets. Returns
 * undefined if the log level is above `info`.
 */
export function openAccessLog(logRequest: HttpDeps['logRequest']): AccessLog | undefined {
  if (logRequest === undefined) return undefined;
  return (request, reply) => {
    const startMs = performance.now();
    return () => {
      const { id, method, url, caller, callerAddress, rpcRequest, problemCode, trace, acceptedJob } = request;
      if (reply.statusCode < 400 && PROBE_ROUTES.has(url)) return;
      const queryAt = url.indexOf('?');
      logRequest({
        requestId: id,
        traceId: trace?.traceId,
        method,
        path: hideLink(queryAt < 0 ? url : url.slice(0, queryAt)),
        status: reply.statusCode,
        code: problemCode ?? undefined,
        ms: Math.round((performance.now() - startMs) * 100) / 100,
        clientId: caller?.clientId,
        jobId: acceptedJob ?? undefined,
        address: callerAddress,
        rpc: rpcRequest?.rpc,
        llmId: rpcRequest?.llmId,
        aborted: reply.raw.writableFinished ? undefined : true,
      });
    };
  };
}
