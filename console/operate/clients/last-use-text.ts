import { formatAgo } from '../../ui/format.ts';

/** The service stores the last use of a client once an hour, so the use may be later by this. */
const STORED_EVERY_MS = 3_600_000;

/** When a client was last used: `in the last hour`, `5 h ago`. */
export const lastUseText = (at: string, now: number): string =>
  now - Date.parse(at) < STORED_EVERY_MS ? 'in the last hour' : formatAgo(at, now);
