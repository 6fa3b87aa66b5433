import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RequestTrace, TraceEndpoint } from '../deps.ts';
import { PROBE_ROUTES } from './probe-routes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** null if the request is not traced. */
    trace: RequestTrace | null;
  }
}

/** Starts the span of a request. Returns the function to call when the response is closed; undefined without a span. */
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
