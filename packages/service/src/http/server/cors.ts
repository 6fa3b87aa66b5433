import { TUS_REPLY_HEADERS } from '@telecine/contract/wire/tus.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';

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

/** The response header fields that scripts of a page may read, in addition to the default ones. */
const EXPOSED_FIELDS = [
  ...['Content-Disposition', 'Content-Range', 'ETag', 'Preference-Applied', 'WWW-Authenticate'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', 'X-Request-Id'],
  ...['Mcp-Protocol-Version', 'Mcp-Session-Id'],
  ...TUS_REPLY_HEADERS,
].join(', ');

/** How long a browser may keep the answer to a preflight request. Chromium's limit. */
const MAX_AGE_SECONDS = '7200';

/** Pages may not read the metrics, which callers on the same machine, such as a browser, get without a token. */
const EXCLUDED = new Set(['/metrics']);

/**
 * Lets pages of `origins` call the API (CORS), without cookies. Call the result first for each request: it sets the header fields, and
 * returns true if it has answered a preflight request. Not `@fastify/cors`, whose routes turn the 404 of unknown paths into 405.
 */
export function allowOrigins(origins: NonNullable<HttpDeps['corsOrigins']>) {
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { origin } = request.headers;
    // The route, because a URL can spell the path in several ways (`/%6detrics`).
    if (EXCLUDED.has(request.routeOptions.url ?? '')) return false;
    // Caches must not send the reply for one origin to another.
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
