import type { ConversionRequest } from './conversion.ts';
import { Problem } from './problem.ts';
import { DAY_MS } from './quantity.ts';

/**
 * The limits of a client. They apply to one conversion, to all its jobs together, or to its requests. The names are the keys of
 * TELECINE_CLIENT_LIMITS. A missing key means no limit. A job keeps the limits that the client has when the job starts.
 */
export interface ClientLimits {
  /** Total bytes of all inputs. */
  readonly input?: number;
  /** Total seconds to fetch all inputs that are URLs. */
  readonly fetch?: number;
  /** Bytes of one written file. Enforced by the kernel. */
  readonly output?: number;
  /** Total bytes of all written files, including the log of a first pass. */
  readonly scratch?: number;
  /** Number of written files. */
  readonly files?: number;
  /** Length of the output in seconds. */
  readonly duration?: number;
  /** Pixels of one input or output frame. */
  readonly pixels?: number;
  /** Streams of one input or of the output. */
  readonly streams?: number;
  /** Threads that a request may set for one encoder, decoder or filtergraph. */
  readonly threads?: number;
  /** Total number of processes and threads at the same time. */
  readonly processes?: number;
  /** Bytes of address space. Enforced by the kernel. */
  readonly memory?: number;
  /** Seconds of processor time of all threads. Enforced by the kernel. */
  readonly cpu?: number;
  /** Total seconds of run time of all passes. */
  readonly time?: number;
  /** Jobs of the client that run at the same time, on all workers. */
  readonly running?: number;
  /** Seconds after the end of a job until its outputs are removed. Missing: only `expiresAfterSeconds` of a request removes them. */
  readonly retention?: number;
  /** The highest `priority` that a request of the client may have. Can be negative. Missing: `PRIORITY.max`. */
  readonly priority?: number;
  /** 0: requests of the client cannot name URLs as inputs. Missing: the settings of the service decide. */
  readonly urls?: number;
  /** 0: requests of the client cannot name objects in other buckets. Missing: the settings of the service decide. */
  readonly buckets?: number;
  /** Requests per minute to one service. Submissions do not count. */
  readonly requests?: number;
  /** Bytes of replies per minute from one service. Contents of files do not count. */
  readonly replies?: number;
  /** Tokens and sessions per minute that the client gets from one service. */
  readonly tokens?: number;
  /** Quota: bytes of the files and unfinished uploads of the client; see `StoredFiles`. */
  readonly storage?: number;
  /** Quota: bytes of the records of the client in the database; see `StoredFiles.records`. */
  readonly records?: number;
  /** Quota: jobs that are submitted on one UTC day. */
  readonly jobs?: number;
  /** Quota: seconds of media that jobs publish on one UTC day. */
  readonly media?: number;
}

/** The limits of one client that differ from the defaults. null: no limit. undefined: the default. */
export type ClientLimitChanges = { readonly [K in keyof ClientLimits]?: number | null | undefined };

/** The limits of a client: the defaults, replaced by the changes of this client. */
export function mergeClientLimits(defaults: ClientLimits, own: ClientLimitChanges = {}): ClientLimits {
  const changed = Object.entries(own).filter(([, limit]) => limit !== undefined);
  const set = Object.entries({ ...defaults, ...Object.fromEntries(changed) }).filter(([, limit]) => limit !== null);
  return Object.freeze(Object.fromEntries(set));
}

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
