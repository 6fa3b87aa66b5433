import type { FastifyRequest } from 'fastify';
import { Problem } from '../../domain/problem.ts';
import { SESSION_HEADER } from '../../wire/session-header.ts';

/** The methods with which a page can only read. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Throws NOT_SAME_ORIGIN unless a page of this service sent the request: by `Sec-Fetch-Site`, or, where browsers do not send it
 * (over plain HTTP from another machine), by the origin that they name. Pages of other origins can forge none of these. Requests
 * that change something also need `SESSION_HEADER`, which a page of another origin can send only if CORS allows it, and CORS
 * never does.
 */
export function checkSameOrigin(request: FastifyRequest, publicUrl: string | undefined): void {
  const site = request.headers['sec-fetch-site'];
  const isOwn = site === undefined ? originOf(request) === ownOrigin(request, publicUrl) : site === 'same-origin';
  if (!isOwn)
    throw new Problem(
      'NOT_SAME_ORIGIN',
      'A session counts only in requests of pages of this service. Programs send an access token of POST /api/auth/token.',
    );
  if (!SAFE_METHODS.has(request.method) && request.headers[SESSION_HEADER] === undefined)
    throw new Problem(
      'NOT_SAME_ORIGIN',
      `With a session, ${request.method} needs the header field "${SESSION_HEADER}: 1".`,
    );
}

/** The origin of the page that sent the request. Browsers send `Origin` with few GET requests of the same origin, but `Referer`. */
function originOf({ headers: { origin, referer } }: FastifyRequest): string | undefined {
  if (origin !== undefined || referer === undefined) return origin;
  return URL.canParse(referer) ? new URL(referer).origin : undefined;
}

const ownOrigin = ({ protocol, host }: FastifyRequest, publicUrl: string | undefined): string => {
  const address = publicUrl ?? `${protocol}://${host}`;
  // The host is a header field, which can contain anything.
  return URL.canParse(address) ? new URL(address).origin : '';
};
