/** How exactly the last use of a client is stored: it may be later by this. */
export const LAST_USE_MS = 3_600_000;
