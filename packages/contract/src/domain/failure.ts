import type { Hint } from './hint.ts';

export const FAILURE_CODES = [
  'INPUT_NOT_FOUND',
  'INPUT_INVALID',
  'INPUT_UNAVAILABLE',
  'UNSUPPORTED',
  'OUTPUT_EXISTS',
  'LIMIT_EXCEEDED',
  'NO_SPACE',
  'TIMEOUT',
  'STALLED',
  'CANCELLED',
  'WORKER_LOST',
  'NO_WORKER',
  'DEPENDENCY_FAILED',
  'STORAGE_FAULT',
  'STRICT_WARNING',
  'DEVICE_FAILED',
  'FFMPEG_FAILED',
] as const;

export type FailureCode = (typeof FAILURE_CODES)[number];

/** The failure of a job, as clients see it. It contains no host paths and no raw ffmpeg output. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly fix?: Hint;
  /** The input or output that failed, so that code need not parse `message`. Not in replies. Absent in jobs of early releases. */
  readonly about?: FailureSubject;
}

interface FailureSubject {
  /** The path of the input. In a failure of ffmpeg, first its logical name, which the service replaces by the path. */
  readonly input?: string;
  /** The index of the output, from 0. Absent if there is only one output. */
  readonly output?: number;
  /** Present if the service does not open the format of the input. */
  readonly isNotOpened?: boolean;
  /** Present if the input is text that is not UTF-8. */
  readonly isNotUtf8?: true;
  /** Present if videos that a filter compares or joins differ in size or rate. */
  readonly isUnlike?: true;
  /** Present if the file is larger than `maxBytes` of its plan. The file is removed. */
  readonly isTooLarge?: true;
  /** Present if the request reads a stream that the input does not have. */
  readonly absent?: AbsentStream;
}

/** A stream that an option reads and the input does not have. */
export interface AbsentStream {
  /** JSON Pointer to the option, and its value that selects the stream: `0:s:4`. '': the service itself selects it. */
  readonly option: string;
  readonly map: string;
  readonly kind: 'video' | 'audio' | 'subtitle';
  /** The index of the input, and its path in quotes. */
  readonly input: number;
  readonly file: string;
  /** How many streams of this kind the input has. */
  readonly count: number;
  /** What the input has, such as `video and audio`. */
  readonly content: string;
}

/** The failure without `about`, as replies show it. */
export const withoutSubject = ({ about: _, ...failure }: Failure): Omit<Failure, 'about'> => failure;

/** The failures that an automatic retry may fix. Other failures end the job at once. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'INPUT_UNAVAILABLE',
  'NO_SPACE',
  'STORAGE_FAULT',
  'WORKER_LOST',
  'DEVICE_FAILED',
]);

export const isRetryable = (code: string): boolean => RETRYABLE.has(code);

/** Ends an attempt of a job. `cause` appears only in the log. `nonRetryable`: overrides the code; a retry would fail in the same way. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
  readonly failure: Failure;
  readonly nonRetryable: boolean;

  constructor(failure: Failure, cause?: unknown, nonRetryable = false) {
    super(failure.message, cause === undefined ? {} : { cause });
    this.failure = failure;
    this.nonRetryable = nonRetryable;
  }
}

/** Ends an attempt that failed because of other work on the same machine. The attempt does not count, and the job runs again. */
export class AttemptDeferred extends JobFailed {}

/**
 * Ends an attempt because a storage or a server is down or overloaded. The attempt does not count. The job is retried for a limited time.
 */
export class StorageDown extends JobFailed {}

/** The maximum number of attempts of a job. A job whose worker crashed in the last attempt fails with WORKER_LOST. */
export const MAX_ATTEMPTS = 3;
