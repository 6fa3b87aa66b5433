/**
 * The private folder of this user for what commands keep between runs; absolute. Undefined if there is none, or if another
 * user could write to it or replace it.
 */
export function userCacheFolder(): string | undefined;
