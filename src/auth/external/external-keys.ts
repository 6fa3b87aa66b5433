import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../../domain/problem.ts';
import type { IssuerKeys } from '../ports.ts';
import { isFresh } from '../token-ttl.ts';

/** A key that the issuer withdraws verifies no more tokens after this. */
const KEPT_MS = 600_000;

/** A key that is not known may be a new one; made-up ones fetch no more than this often. */
const UNKNOWN_REFETCH_MS = 30_000;

/** All of one fetch, discovery included. */
const TIMEOUT_MS = 5000;

/** How long an issuer that failed is left alone. */
const RETRY_SECONDS = 5;

/** jose asks for an address before it asks `customFetch`, which knows a better one. */
const NOWHERE = new URL('https://issuer.invalid/');

/** `cause` is for the log, once a fetch: whoever comes while the issuer is left alone brings none. */
const unavailable = (cause?: unknown): Problem =>
  new Problem(
    'UNAVAILABLE',
    'The keys of the issuer of this access token cannot be had now, so it cannot be checked. Try again.',
    { retryAfterSeconds: RETRY_SECONDS, ...(cause === undefined ? {} : { cause }) },
  );

/** Finds the key of a token, fetching the issuer's only when they are needed. Throws UNAVAILABLE, or jose's errors. */
export function externalKeys(keys: IssuerKeys, now: () => number): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY;

  async function fetchKeys(signal: AbortSignal): Promise<Response> {
    if (isFresh(failedAt, now(), RETRY_SECONDS * 1000)) throw unavailable();
    try {
      const set = await keys.fetch(signal);
      // Throws where it is no key set: here, so that it counts as a failure of the issuer and not of the token.
      createLocalJWKSet(set as JSONWebKeySet);
      return Response.json(set);
    } catch (cause) {
      failedAt = now();
      throw unavailable(cause);
    }
  }

  return createRemoteJWKSet(NOWHERE, {
    cacheMaxAge: KEPT_MS,
    cooldownDuration: UNKNOWN_REFETCH_MS,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: (_address, { signal }) => fetchKeys(signal),
  });
}
