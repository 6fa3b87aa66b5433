import { createLocalJWKSet, createRemoteJWKSet, customFetch, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../../domain/problem.ts';
import type { IssuerKeys } from '../ports.ts';
import { isFresh } from '../token-ttl.ts';

/** How long fetched keys are used. After this time, a key that the issuer has withdrawn no longer verifies tokens. */
const MAX_AGE_MS = 600_000;

/** An unknown key id may be new, so the keys are fetched again, but at most once in this time: ids can be invented. */
const UNKNOWN_REFETCH_MS = 30_000;

/** The timeout of one fetch, including discovery. */
const TIMEOUT_MS = 5000;

/** The pause after a failed fetch. */
const RETRY_SECONDS = 5;

/** jose requires a URL, but `customFetch` ignores it. */
const UNUSED_URL = new URL('https://issuer.invalid/');

/** The problem while the keys cannot be fetched. `cause` is for the log; requests during the pause have none. */
const unavailable = (cause?: unknown): Problem =>
  new Problem(
    'UNAVAILABLE',
    `The access token cannot be checked: the keys of its issuer are not available. Retry in ${RETRY_SECONDS} s.`,
    { retryAfterSeconds: RETRY_SECONDS, ...(cause === undefined ? {} : { cause }) },
  );

/**
 * Finds the key of a token and fetches the keys of the issuer when they are needed. Throws UNAVAILABLE, or errors of
 * jose.
 */
export function externalKeys(keys: IssuerKeys, now: () => number): JWTVerifyGetKey {
  let failedAt = Number.NEGATIVE_INFINITY;

  async function fetchKeys(signal: AbortSignal): Promise<Response> {
    if (isFresh(failedAt, now(), RETRY_SECONDS * 1000)) throw unavailable();
    try {
      const set = await keys.fetch(signal);
      // This throws for an invalid key set. Call it here, so that the issuer is reported as the cause, not the token.
      createLocalJWKSet(set as JSONWebKeySet);
      return Response.json(set);
    } catch (cause) {
      failedAt = now();
      throw unavailable(cause);
    }
  }

  return createRemoteJWKSet(UNUSED_URL, {
    cacheMaxAge: MAX_AGE_MS,
    cooldownDuration: UNKNOWN_REFETCH_MS,
    timeoutDuration: TIMEOUT_MS,
    [customFetch]: (_address, { signal }) => fetchKeys(signal),
  });
}
