import { HIDDEN } from '@telecine/contract/domain/secret-options.ts';
import { hideLinks } from '@telecine/contract/domain/signed-link.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps, RequestTrace, TraceEndpoint } from '../deps.ts';

/** Writes the log line of a request. Call this when the response is closed. `ms`: how long the request took. */
type AccessLog = (request: FastifyRequest, reply: FastifyReply, ms: number) => void;

/**
 * Creates the access log: one line per request, except for successful health checks and reads of metrics. Lines contain
 * no headers, queries and signed links, because these may be secrets. Returns undefined if `logRequest` is undefined.
 */
export function openAccessLog(logRequest: HttpDeps['logRequest']): AccessLog | undefined {
  if (logRequest === undefined) return undefined;
  return (request, reply, ms) => {
    const { id, method, url, caller, callerAddress, rpcRequest, problemCode, trace, acceptedJob } = request;
    if (reply.statusCode < 400 && PROBE_ROUTES.has(url)) return;
    logRequest({
      requestId: id,
      traceId: trace?.traceId,
      method,
      path: shownPath(request),
      status: reply.statusCode,
      code: problemCode ?? undefined,
      ms: Math.round(ms * 100) / 100,
      clientId: caller?.clientId,
      jobId: acceptedJob ?? undefined,
      address: callerAddress,
      rpc: rpcRequest?.rpc,
      llmId: rpcRequest?.llmId,
      aborted: reply.raw.writableFinished ? undefined : true,
    });
  };
}

/**
 * Returns the path with its signed link hidden. If a route matches, the link is found by its position in the route,
 * because a URL can spell the other segments in several ways (`/%6cinks/`). Otherwise, it is found by its form.
 */
function shownPath({ url, routeOptions }: Pick<FastifyRequest, 'url' | 'routeOptions'>): string {
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const route = routeOptions.url ?? '';
  if (!route.split('/').includes(':link')) return hideLinks(path);
  return path.split('/').with(route.split('/').indexOf(':link'), HIDDEN).join('/');
}

/** Routes that monitoring reads every few seconds, and that would fill logs and traces. */
const PROBE_ROUTES: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics']);

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of this request. null: the request is not traced. */
    trace: RequestTrace | null;
  }
}

/**
 * Starts the span of a request. Returns a function to call when the response is closed, or undefined if the request is
 * not traced.
 */
export function startTrace(
  traces: TraceEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): (() => void) | undefined {
  const { url: route } = request.routeOptions;
  if (route === undefined || PROBE_ROUTES.has(route)) return undefined;
  const { traceparent } = request.headers;
  const trace = traces.startRequest(request.method, route, typeof traceparent === 'string' ? traceparent : undefined);
  if (trace === undefined) return undefined;
  request.trace = trace;
  return () => trace.end({ status: reply.statusCode, requestId: request.id, clientId: request.caller?.clientId });
}
