import type { ClientRecord } from './ports.ts';

/** The lifetime of access tokens. It is short, because a single token cannot be revoked. */
export const ACCESS_TOKEN_SECONDS = 15 * 60;

/** The maximum lifetime of a signed link. A retired key must verify for as long. */
export const LONGEST_LINK_SECONDS = 24 * 3600;

/** The lifetime of refresh tokens. Each exchange renews it, so an active client never sends its secret again. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 3600;

/** The lifetime of a browser's session: a working day. It is not renewed, so that a forgotten browser is signed out. */
export const SESSION_SECONDS = 12 * 3600;

/** The most stored refresh tokens of a client, with used ones: about 30 MB. A program that refreshes every 15 minutes needs 2,900. */
export const KEPT_REFRESH_TOKENS = 50_000;

/** How long a client that did not get the reply can send an exchanged refresh token again. */
export const REFRESH_GRACE_SECONDS = 30;

/** How often a client can send an exchanged refresh token again. */
export const REFRESH_REPLAYS = 5;

/**
 * Whether a value that was read at `since` is usable at `at`, for `forMs` milliseconds. False if the clock was set back, so that a revoked
 * client does not stay in a cache.
 */
export function isFresh(since: number, at: number, forMs: number): boolean {
  const age = at - since;
  return age >= 0 && age < forMs;
}

/** The time before which all issued tokens of the client are revoked, in milliseconds since 1970. */
export const notBefore = ({ tokensNotBefore }: ClientRecord): number =>
  tokensNotBefore === undefined ? 0 : Date.parse(tokensNotBefore);
