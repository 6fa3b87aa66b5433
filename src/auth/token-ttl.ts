/** Lifetime of access tokens. It is short because a single token cannot be revoked. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** Longest lifetime of a signed link. Its key has to verify for as long. */
export const LONGEST_LINK_SECONDS = 24 * 3600;

/** Lifetime of refresh tokens. Each exchange starts it again, so an active client never sends its secret again. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/** How long an exchanged refresh token can be sent again by a client that did not get the reply. */
export const REFRESH_GRACE_SECONDS = 30;

/** How often it can be sent again. */
export const REFRESH_REPLAYS = 5;

/**
 * Whether a value read at `since` can still be used at `at`. All in milliseconds. If the clock was set back, the value
 * is stale, so that a wrong clock cannot keep a revoked client alive.
 */
export function isFresh(since: number, at: number, forMs: number): boolean {
  const age = at - since;
  return age >= 0 && age < forMs;
}
