import type { Shape } from '../wire/shape.ts';
import type { NewWatch, WatchedFileView, WatchView, watchRequest } from '../wire/watch.ts';
import type { EachMaker } from './each-placeholders.ts';
import { type Hint, type HintAction, RETRY_JOB } from './hint.ts';
import type { Job } from './job.ts';
import type { MediaPath } from './media-path.ts';
import type { FieldError } from './problem.ts';
import { hideUrlSecrets } from './url-input.ts';

export const WATCHED_FILE_STATES = ['READY', 'SUBMITTED', 'CONVERTED', 'FAILED', 'NEEDS_ATTENTION', 'SKIPPED'] as const;
export type WatchedFileState = (typeof WATCHED_FILE_STATES)[number];

/** How often a folder is listed by default, in seconds. */
export const POLL_SECONDS = { disk: 5, bucket: 60 } as const;

export const WATCH_LIMITS = {
  patterns: 20,
  patternLength: 200,
  nameLength: 100,
  /** Bytes of the request as JSON in UTF-8. Each list of watches and each round of a watch reads it. */
  requestBytes: 65_536,
  settleSeconds: { min: 1, max: 3600, default: 10 },
  maxUnfinished: { min: 1, max: 1000, default: 20 },
  every: { min: 1, max: 86_400 },
  /** Paths in one request for a retry. */
  retriedPaths: 1000,
} as const;

/** The request of a watch has these placeholders in addition to those of `each`. */
export const WATCH_MAKER: EachMaker = {
  name: 'the watch',
  placeholders: ['{folder}', '{date}', '{width}', '{height}'],
};

/** How often a file is converted before it waits for a person. */
export const MAX_FILE_ATTEMPTS = 3;

/** The request that a watch sends for each file: as with `each` in a batch, the file is the input unless the request names inputs. */
export type WatchRequest = Shape<typeof watchRequest>;

/** What a client sets of a watch. As stored, `folder` ends with a slash, and '' is the whole media root. */
export type WatchSettings = NewWatch;

/** Returns settings with the members of a change. null removes a member. */
export function changeSettings<T extends WatchSettings>(settings: T, change: object): T {
  const entries = Object.entries({ ...settings, ...change }).filter(([, value]) => value !== null);
  return Object.fromEntries(entries) as unknown as T;
}

/** A watch: whatever lands in its folder is converted by its request. `WatchView` says what the members that clients see mean. */
export interface Watch
  extends WatchSettings,
    Pick<WatchView, 'watchId' | 'state' | 'createdAt' | 'changedAt' | 'unreachableSince' | 'waitingFor' | 'lastScan'> {
  readonly clientId: string;
  /** When a client last changed `source`. Files that were converted before stay. */
  readonly sourceSince?: string;
  /** When the first scan over the whole folder ended. Until then, files count as `existing`. */
  readonly firstScanAt?: string;
  /** Why the client may not submit for this watch at present. */
  readonly stopped?: WatchedFailure;
}

export type WatchWait = NonNullable<Watch['waitingFor']>;

/** Why a file of a watch was not converted: the code of a failed job, or of a problem such as `INVALID_REQUEST`. */
export interface WatchedFailure {
  readonly code: string;
  readonly message: string;
  readonly fix?: Hint;
  readonly errors?: readonly FieldError[];
}

/** The ledger's row about a file: one for each path below the folder of a watch. `WatchedFileView` says what the members that clients see mean. */
export interface WatchedFile
  extends Pick<WatchedFileView, 'state' | 'jobId' | 'attempts' | 'dueAt' | 'source' | 'seenAt' | 'changedAt'> {
  readonly watchId: string;
  readonly path: MediaPath;
  readonly bytes: number;
  readonly skipReason?: NonNullable<WatchedFileView['skipped']>;
  /** The content that the row is about: differs for each content of the file. */
  readonly version: string;
  /** Stays the same when the file is renamed. Absent: the storage has none. */
  readonly fileKey?: string;
  /** Why the last job failed or, of a converted file, why its source was not moved or deleted. */
  readonly failure?: WatchedFailure;
  /** Where the source is about to be moved, or `BIN`. Present from before the move or deletion on, so that it is known after a crash. */
  readonly sourceTarget?: string;
  /** Present if an earlier version was converted: its outputs are replaced. */
  readonly replaces?: true;
}

/** How the work of a job is done again: that of a watch through its watch, so that no file is converted twice. */
export const retryActionOf = ({ watchId, request: { input } }: Pick<Job, 'watchId' | 'request'>): HintAction =>
  watchId !== undefined && input !== undefined
    ? { do: 'retry-watched-file', watchId, path: hideUrlSecrets(input) }
    : RETRY_JOB;

export type WatchedCounts = Readonly<Record<WatchedFileState, number>>;

export const NO_WATCHED_FILES: WatchedCounts = {
  ...{ READY: 0, SUBMITTED: 0, CONVERTED: 0, FAILED: 0, NEEDS_ATTENTION: 0, SKIPPED: 0 },
};

/** The folder of a watch as clients see it: that of the media root, which is stored as '', is `/`. */
export const shownFolder = (folder: string): string => (folder === '' ? '/' : folder);
