import type { ConversionRequest } from './conversion.ts';
import { Problem } from './problem.ts';
import { DAY_MS } from './quantity.ts';

/** What each limit of a client limits, for people. Sizes are in bytes, times in seconds. The names are the keys of TELECINE_CLIENT_LIMITS. */
export const CLIENT_LIMITS = {
  input: 'bytes of all inputs of a conversion',
  fetch: 'time to fetch all inputs that are URLs',
  output: 'bytes of one written file',
  scratch: 'bytes of all written files, also the log of a first pass',
  files: 'number of written files',
  duration: 'length of the output',
  pixels: 'pixels of one input or output frame',
  streams: 'streams of one input or of the output',
  threads: 'threads that a request may set for an encoder, a decoder or a filtergraph',
  processes: 'processes and threads in total',
  memory: 'address space',
  cpu: 'processor time of all threads',
  time: 'run time of all passes; a longer conversion fails with TIMEOUT. With PostgreSQL at most 23h',
  running: 'jobs that run at the same time, on all workers; others wait',
  priority: 'the highest `priority` of a request, -10 to 10',
  urls: '`deny` (0): its requests cannot name URLs, whatever other settings allow',
  buckets: '`deny` (0): its requests cannot name objects in other buckets',
  jobs: 'jobs submitted on a UTC day',
  media: 'length of the media published on a UTC day, such as 10h',
  storage: 'bytes of its files and unfinished uploads, such as 50G',
  records: 'bytes of its jobs, messages and paths in the database, such as 50G',
  retention: 'how long the outputs of a job are kept after its end, whatever its request says',
  requests: 'requests a minute to one service, besides submissions',
  replies: 'bytes a minute of replies and event streams of one service, besides contents of files',
  tokens: 'access tokens, refreshes and sign-ins a minute by one service',
  submissions: 'submissions a minute to all services, each job of a batch; and ten MCP calls for each',
  pending: 'queued jobs; 429 TOO_MANY_PENDING above it',
  'event-streams': 'event streams (`/api/events`) that are open at one service',
  webhooks: 'registered webhooks',
  watches: 'watched folders',
  shares: 'shared links that work; 0: it cannot share files',
} as const;

/** The limits of a client. A missing key means no limit. A job keeps the limits that the client has when the job starts. */
export type ClientLimits = { readonly [K in keyof typeof CLIENT_LIMITS]?: number };

/** The limits of one client that differ from the defaults. null: no limit. undefined: the default. */
export type ClientLimitChanges = { readonly [K in keyof ClientLimits]?: number | null | undefined };

/** The limits of a client: the defaults, replaced by the changes of this client. */
export function mergeClientLimits(defaults: ClientLimits, own: ClientLimitChanges = {}): ClientLimits {
  const changed = Object.entries(own).filter(([, limit]) => limit !== undefined);
  const set = Object.entries({ ...defaults, ...Object.fromEntries(changed) }).filter(([, limit]) => limit !== null);
  return Object.freeze(Object.fromEntries(set));
}

/** How an operator changes a limit of a client, as the last sentence of the problem for a request above it. */
export const operatorHint = (clientId: string, name: keyof ClientLimits): string =>
  `An operator can change this: telecine client set ${clientId} --limit ${name}=…`;

/** Seconds after the end of a job until its outputs are removed: the shorter time of the request and the client. undefined: never. */
export function outputLifetime(
  { expiresAfterSeconds }: Pick<ConversionRequest, 'expiresAfterSeconds'>,
  { retention }: Pick<ClientLimits, 'retention'>,
): number | undefined {
  if (expiresAfterSeconds === undefined || retention === undefined) return expiresAfterSeconds ?? retention;
  return Math.min(expiresAfterSeconds, retention);
}

/** The minimum and maximum lifetime of outputs in seconds: one minute and ten years. */
export const OUTPUT_LIFETIME = { min: 60, max: 315_360_000 } as const;

/** The quotas that count one UTC day. The names are keys of `ClientLimits`. */
export type DailyQuotaName = 'jobs' | 'media';

/** All quotas. `storage` and `records` do not depend on the day; see `StoredFiles`. */
export type QuotaName = DailyQuotaName | 'storage' | 'records';

/** A quota of a client, and how much of it is used. */
export interface QuotaUse<N extends QuotaName = QuotaName> {
  readonly name: N;
  /** In jobs, seconds of media or bytes. Includes the reservations of queued and running jobs. */
  readonly used: number;
  /** Absent if the client has no limit. */
  readonly limit?: number;
}

/** Seconds of media that a job reserves if its request does not limit the length of its output. */
export const UNKNOWN_MEDIA_SECONDS = 60;

/**
 * How many seconds an output may exceed its reservation if the quota is used up. An output ends with a whole frame, often after its "t".
 */
export const MEDIA_MARGIN_SECONDS = 1;

/** What an ordinary job takes in the database besides its request: its rows in the tables and indexes, its result and its log. */
export const JOB_BYTES = 2048;

/**
 * Returns what a new job takes of the quota `records`. Its texts count twice, because the search of jobs and the events for webhooks have
 * copies. A result or a log that takes more than `JOB_BYTES` counts when the job ends.
 */
export const recordBytesOf = ({
  request,
  warnings = '',
}: {
  readonly request: string;
  readonly warnings?: string | undefined;
}): number => JOB_BYTES + 2 * Buffer.byteLength(request) + 2 * Buffer.byteLength(warnings);

/** The UTC day of an ISO 8601 time: `2026-11-21`. */
export const dayOf = (at: string): string => at.slice(0, 10);

/** The start of the next UTC day, as ISO 8601 text. */
export const nextDay = (at: string): string => new Date(Date.parse(dayOf(at)) + DAY_MS).toISOString();

const UNITS: Readonly<Record<DailyQuotaName, string>> = {
  jobs: 'jobs a day',
  media: 'seconds of media a day',
};

/**
 * The problem (429) for a request that needs `wanted` of a quota when less is left. The text says when the next day starts, unless the
 * request exceeds the whole quota.
 */
export function quotaExceeded(
  { name, used, limit = 0 }: QuotaUse<DailyQuotaName>,
  wanted: number,
  at: string,
): Problem {
  const what = `The quota "${name}" allows ${limit} ${UNITS[name]}: ${round(used)} are used, and this request needs ${round(wanted)}.`;
  const quota = { name, used: round(used), limit };
  if (wanted > limit)
    return new Problem(
      'QUOTA_EXCEEDED',
      `${what} That is more than the whole quota. ${SMALLER[name]}, or ask the operator for more.`,
      {
        quota,
      },
    );
  const next = nextDay(at);
  return new Problem('QUOTA_EXCEEDED', `${what} Send the request again at ${next} or later.`, {
    quota,
    retryAfterSeconds: Math.max(1, Math.ceil((Date.parse(next) - Date.parse(at)) / 1000)),
  });
}

/** What a client can do if a request is larger than the whole quota. */
const SMALLER: Readonly<Record<DailyQuotaName, string>> = {
  jobs: 'Send fewer requests in a batch',
  media: 'Send "t" with fewer seconds',
};

const round = (value: number): number => Math.round(value * 1000) / 1000;
