import type { ClientRecord } from './ports.ts';

/** The lifetime of access tokens. It is short, because a single access token cannot be revoked. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** The maximum lifetime of a signed link. After a signing key is retired, it must verify links for this time. */
export const LONGEST_LINK_SECONDS = 24 * 3600;

/**
 * The lifetime of refresh tokens. Each exchange gives a token with a new lifetime, so an active client never has to send its secret again.
 */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/** The lifetime of a browser's session: a working day. It is not renewed, so that a browser that someone forgot is signed out. */
export const SESSION_SECONDS = 12 * 3600;

/**
 * The most refresh tokens of a client that are stored, including used ones. They take about 30 MB. A program that refreshes every 15
 * minutes needs 2,900.
 */
export const KEPT_REFRESH_TOKENS = 50_000;

/** An exchanged refresh token is accepted again for this time, for a client that did not get the reply. */
export const REFRESH_GRACE_SECONDS = 30;

/** An exchanged refresh token is accepted again this many times. */
export const REFRESH_REPLAYS = 5;

/**
 * Whether a value that was read at `since` is still usable at `at`. It is usable for `forMs` milliseconds. False if the clock was set back,
 * so that a revoked client does not stay in a cache.
 */
export function isFresh(since: number, at: number, forMs: number): boolean {
  const age = at - since;
  return age >= 0 && age < forMs;
}

/** Tokens of the client that were issued before this time are revoked. In milliseconds since 1970. */
export const notBefore = ({ tokensNotBefore }: ClientRecord): number =>
  tokensNotBefore === undefined ? 0 : Date.parse(tokensNotBefore);
