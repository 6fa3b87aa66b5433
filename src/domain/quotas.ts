import { Problem } from './problem.ts';
import { DAY_MS } from './quantity.ts';

/** What a quota counts by the day in UTC. The names are those of the client limits. */
export type DailyQuotaName = 'jobs' | 'media';

/** What a quota counts: also `storage`, whatever the day; see `StoredFiles`. */
export type QuotaName = DailyQuotaName | 'storage';

/** A quota of a client, and what is used of it. */
export interface QuotaUse<N extends QuotaName = QuotaName> {
  readonly name: N;
  /** In jobs, seconds of media or bytes. Includes what queued and running jobs have reserved. */
  readonly used: number;
  /** Absent if the client has no limit. */
  readonly limit?: number;
}

/** The media that a job reserves if its request does not limit the length of its output. */
export const UNKNOWN_MEDIA_SECONDS = 60;

/**
 * How much longer than its reservation a job may become although nothing is left of the quota. An output ends with a whole frame, so
 * it is often a little longer than its "t".
 */
export const MEDIA_MARGIN_SECONDS = 1;

/** The UTC day of a moment in ISO 8601 text: `2026-11-21`. */
export const dayOf = (at: string): string => at.slice(0, 10);

/** The start of the next UTC day, as ISO 8601 text. */
export const nextDay = (at: string): string => new Date(Date.parse(dayOf(at)) + DAY_MS).toISOString();

const UNITS: Readonly<Record<DailyQuotaName, string>> = {
  jobs: 'jobs a day',
  media: 'seconds of media a day',
};

/**
 * The problem (429) of a request that needs more of a quota than is left. `wanted`: what the request needs. Says when the
 * day ends, unless the request needs more than the quota of a whole day.
 */
export function quotaExceeded(
  { name, used, limit = 0 }: QuotaUse<DailyQuotaName>,
  wanted: number,
  at: string,
): Problem {
  const what = `The quota "${name}" allows ${limit} ${UNITS[name]}: ${round(used)} are used, and this request needs ${round(wanted)}.`;
  const quota = { name, used: round(used), limit };
  if (wanted > limit)
    return new Problem('QUOTA_EXCEEDED', `${what} It never fits. ${SMALLER[name]}, or ask the operator for more.`, {
      quota,
    });
  const next = nextDay(at);
  return new Problem('QUOTA_EXCEEDED', `${what} Send it again from ${next} on.`, {
    quota,
    retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(next) - Date.parse(at)) / 1000)),
  });
}

/** What a client can do about a request that is larger than a quota. */
const SMALLER: Readonly<Record<DailyQuotaName, string>> = {
  jobs: 'Send fewer requests in a batch',
  media: 'Send "t" with fewer seconds',
};

const round = (value: number): number => Math.round(value * 1000) / 1000;
