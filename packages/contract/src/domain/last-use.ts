/** How exactly the last use of a client is stored: it may be later by this. In this time, a client that is used costs one write for each process. */
export const LAST_USE_MS = 3_600_000;
