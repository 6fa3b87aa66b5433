import {
  FRAME_TIMES,
  KEEP_REPLACED,
  MEDIA_DURATION,
  MEDIA_SIZE,
  REPLACED_ENTRY,
} from '@telecine/contract/wire/endpoints.ts';
import { TUS_REPLY_HEADERS } from '@telecine/contract/wire/tus.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpDeps } from '../deps.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** The request header fields that clients of the API send. */
const REQUEST_FIELDS = [
  ...['accept', 'authorization', 'content-type', 'idempotency-key', 'last-event-id', 'prefer', 'range'],
  // Tracing libraries in web pages send all three fields.
  ...['baggage', 'traceparent', 'tracestate'],
  ...['if-match', 'if-none-match', 'if-range', KEEP_REPLACED.toLowerCase()],
  ...['mcp-method', 'mcp-name', 'mcp-protocol-version', 'mcp-session-id'],
  // Fields of resumable uploads (tus 1.0).
  ...['tus-resumable', 'upload-checksum', 'upload-concat', 'upload-defer-length', 'upload-length', 'upload-metadata'],
  ...['upload-offset', 'x-http-method-override'],
].join(', ');

/** Response header fields that scripts in a page may read, besides those that browsers allow by default. */
const EXPOSED_FIELDS = [
  ...['Content-Disposition', 'Content-Range', 'ETag', 'Preference-Applied', 'WWW-Authenticate'],
  ...['RateLimit', 'RateLimit-Policy', 'Retry-After', REPLACED_ENTRY, 'X-Request-Id'],
  ...[FRAME_TIMES, MEDIA_DURATION, MEDIA_SIZE],
  ...['Mcp-Protocol-Version', 'Mcp-Session-Id'],
  ...TUS_REPLY_HEADERS,
].join(', ');

/** How long a browser may cache the reply to a preflight request, in seconds. Chromium allows no more. */
const MAX_AGE_SECONDS = '7200';

/**
 * Paths that web pages must not read. Callers on the same machine get the metrics without a token, and a browser can be
 * such a caller.
 */
const EXCLUDED = new Set(['/metrics']);

/**
 * Lets pages of `origins` call the API without cookies (CORS). Call the result first for each request: it sets the
 * header fields, and returns true if it has answered a preflight request. (`@fastify/cors` cannot be used: its routes
 * turn the 404 of unknown paths into 405.)
 */
export function allowOrigins(origins: NonNullable<HttpDeps['corsOrigins']>) {
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    const { origin } = request.headers;
    // Check the route, not the URL, which can spell the path in several ways (`/%6detrics`).
    if (EXCLUDED.has(request.routeOptions.url ?? '')) return false;
    // Caches must not send the reply for one origin to a page of another one.
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
