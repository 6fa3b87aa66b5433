import type { ClientRecord } from './ports.ts';

/** The lifetime of access tokens. It is short because a single token cannot be revoked. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** The maximum lifetime of a signed link. A retired key must verify for that long. */
export const LONGEST_LINK_SECONDS = 24 * 3600;

/**
 * The lifetime of refresh tokens. Each exchange renews it, so an active client never needs to send its secret again.
 */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/**
 * The lifetime of a browser's session: a working day. It is not renewed, so a forgotten browser is signed out. At 60 a minute, a
 * client has 43,200 sessions at most.
 */
export const SESSION_SECONDS = 12 * 3600;

/**
 * The most refresh tokens of a client that are kept, used ones included. They take about 30 MB. A program that refreshes every
 * 15 minutes makes 2,900 before the first expires.
 */
export const KEPT_REFRESH_TOKENS = 50_000;

/** How long an exchanged refresh token can be sent again by a client that did not get the reply. */
export const REFRESH_GRACE_SECONDS = 30;

/** How often an exchanged refresh token can be sent again. */
export const REFRESH_REPLAYS = 5;

/**
 * Whether a value that was read at `since` can be used at `at`, for `forMs` milliseconds. If the clock was set back,
 * the value is stale, so that a wrong clock cannot keep a revoked client in the cache.
 */
export function isFresh(since: number, at: number, forMs: number): boolean {
  const age = at - since;
  return age >= 0 && age < forMs;
}

/** The time before which all issued tokens of the client are revoked, in milliseconds since 1970. */
export const notBefore = ({ tokensNotBefore }: ClientRecord): number =>
  tokensNotBefore === undefined ? 0 : Date.parse(tokensNotBefore);
