import type { FastifyReply, FastifyRequest } from 'fastify';
import { TUS_REPLY_HEADERS } from '../../wire/tus.ts';

/** The origins whose pages may call the service, or `*` for all. */
export type CorsOrigins = readonly string[] | '*';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** The request header fields that clients of the API send. */
const REQUEST_FIELDS = [
  ...['accept', 'authorization', 'content-type', 'idempotency-key', 'last-event-id', 'prefer', 'range'],
  // Traces. Libraries in pages send all three.
  ...['baggage', 'traceparent', 'tracestate'],
  ...['if-match', 'if-none-match', 'if-range'],
  ...['mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'],
  // Resumable uploads (tus 1.0).
  ...['tus-resumable', 'upload-checksum', 'upload-concat', 'upload-defer-length', 'upload-length', 'upload-metadata'],
  ...['upload-offset', 'x-http-method-override'],
].join(', ');

/** The response header fields that scripts of a page may read, besides those that browsers always show. */
const EXPOSED_FIELDS = [
  ...['Content-Disposition', 'Content-Range', 'ETag', 'Preference-Applied', 'WWW-Authenticate'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
  ...['Mcp-Protocol-Version', 'Mcp-Session-Id'],
  ...TUS_REPLY_HEADERS,
].join(', ');

/** How long a browser may keep the answer to a preflight request. Chromium's limit. */
const MAX_AGE_SECONDS = '7200';

/** Pages may not read the metrics: without a token, they are for callers on the same machine, as a browser is. */
const EXCLUDED = new Set(['/metrics']);

/**
 * Lets pages of `origins` call the API (the CORS protocol of the Fetch standard). Call the result first for each request:
 * it sets the header fields, and returns true if it has answered a preflight request, which has no token.
 *
 * Credentials are never allowed: cookies are for pages of the service itself, and another page sends its token in `Authorization`.
 *
 * `@fastify/cors` adds a route for OPTIONS at every path, which turns the 404 of unknown paths into 405.
 */
export function allowOrigins(origins: CorsOrigins) {
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { origin } = request.headers;
    // The route and not the URL, which can spell the path in several ways (`/%6detrics`). Without a route there is a preflight
    // request, which reads nothing.
    if (EXCLUDED.has(request.routeOptions.url ?? '')) return false;
    // Caches must not give the reply for one origin to another.
    if (origins !== '*') reply.header('vary', 'Origin');
    if (origin === undefined || !(origins === '*' || origins.includes(origin))) return false;
    reply.header('access-control-allow-origin', origins === '*' ? '*' : origin);
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) {
      reply.header('access-control-expose-headers', EXPOSED_FIELDS);
      return false;
    }
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_FIELDS,
      'access-control-max-age': MAX_AGE_SECONDS,
    });
    reply.code(204).send();
    return true;
  };
}
