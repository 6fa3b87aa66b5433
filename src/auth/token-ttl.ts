/** An access token cannot be taken back one by one, so it lives briefly. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** The longest that a signed link may be good for: its key must verify as long. */
export const LONGEST_LINK_SECONDS = 24 * 3600;

/** Counted anew at each exchange: a client that calls at least so often never sends its secret again. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/** How long an exchanged refresh token may be sent again, by a client that never saw the reply. */
export const REFRESH_GRACE_SECONDS = 30;

/** How often at most: replies are not lost so often in half a minute. */
export const REFRESH_REPLAYS = 5;

/**
 * Is what was read at `since` still good at `at`? All in milliseconds. A clock that was set back makes it stale,
 * so that a wrong clock cannot keep a revoked client alive.
 */
export function isFresh(since: number, at: number, forMs: number): boolean {
  const age = at - since;
  return age >= 0 && age < forMs;
}
