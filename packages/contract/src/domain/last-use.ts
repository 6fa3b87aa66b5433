/**
 * How often the last use of a client is stored, in milliseconds: at most one write in this time for each client and process. The client may
 * have been used later than the stored time, by up to this.
 */
export const LAST_USE_MS = 3_600_000;
