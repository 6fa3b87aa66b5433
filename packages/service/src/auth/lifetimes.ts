import type { ClientRecord } from './ports.ts';

/** The lifetime of access tokens. It is short, because a single access token cannot be revoked. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** The maximum lifetime of a signed link. A retired signing key must verify links for at least this time. */
export const LONGEST_LINK_SECONDS = 24 * 3600;

/**
 * The lifetime of refresh tokens. Each exchange gives a token with a new lifetime, so that an active client never has
 * to send its secret again.
 */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/** The lifetime of a browser session: a working day. It is not renewed, so that a forgotten browser is signed out. */
export const SESSION_SECONDS = 12 * 3600;

/**
 * The maximum number of stored refresh tokens of a client, including used ones. They take about 30 MB. A program that
 * refreshes every 15 minutes needs 2,900.
 */
export const KEPT_REFRESH_TOKENS = 50_000;

/** How long an exchanged refresh token is accepted again, for a client that did not get the reply. */
export const REFRESH_GRACE_SECONDS = 30;

/** How many times an exchanged refresh token is accepted again. */
export const REFRESH_REPLAYS = 5;

/**
 * Returns whether a value that was read at the time `since` may be used at the time `at`: for `forMs` milliseconds.
 * Returns false if the clock was set back, so that a revoked client does not stay in a cache.
 */
export function isFresh(since: number, at: number, forMs: number): boolean {
  const age = at - since;
  return age >= 0 && age < forMs;
}

/**
 * Returns the time before which all tokens of a client are revoked, in milliseconds since 1970. 0: none is revoked.
 * `at`: the current time. The end of a previous secret revokes tokens only once it has passed.
 */
export function notBefore(
  { tokensNotBefore, previousSecret }: Pick<ClientRecord, 'tokensNotBefore' | 'previousSecret'>,
  at: number,
): number {
  const revoked = tokensNotBefore === undefined ? 0 : Date.parse(tokensNotBefore);
  const ended = previousSecret === undefined ? 0 : Date.parse(previousSecret.until);
  return ended <= at ? Math.max(revoked, ended) : revoked;
}

/**
 * The hash of the previous secret of a client, while it works. A secret that was replaced at once has no hash: by the
 * clock of another service, its end may still come.
 */
export const previousHash = (
  { previousSecret }: Pick<ClientRecord, 'previousSecret'>,
  at: number,
): string | undefined =>
  previousSecret !== undefined && previousSecret.hash !== '' && at < Date.parse(previousSecret.until)
    ? previousSecret.hash
    : undefined;
