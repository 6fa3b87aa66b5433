import type { Hint } from './hint.ts';

/** Why a job failed. */
export type FailureCode =
  | 'INPUT_NOT_FOUND'
  | 'INPUT_INVALID'
  | 'INPUT_UNAVAILABLE'
  | 'UNSUPPORTED'
  | 'OUTPUT_EXISTS'
  | 'LIMIT_EXCEEDED'
  | 'NO_SPACE'
  | 'TIMEOUT'
  | 'STALLED'
  | 'CANCELLED'
  | 'WORKER_LOST'
  | 'NO_WORKER'
  | 'DEPENDENCY_FAILED'
  | 'STORAGE_FAULT'
  | 'STRICT_WARNING'
  | 'DEVICE_FAILED'
  | 'FFMPEG_FAILED';

/** The failure of a job, as clients see it: it contains no host paths and no raw ffmpeg output. */
export interface Failure {
  readonly code: FailureCode;
  readonly message: string;
  readonly fix?: Hint;
  /** For other checks, which read no message. Replies lack it, and so do jobs of releases before it. */
  readonly about?: FailureSubject;
}

/** What a failure is about. */
interface FailureSubject {
  /** The path of an input, or, until it is replaced, the logical name. */
  readonly input?: string;
  /** The number of the output, if there are several. */
  readonly output?: number;
  /** Whether the service does not open the format of the input. */
  readonly isNotOpened?: boolean;
}

/** A failure as replies have it. */
export const withoutSubject = ({ about: _, ...failure }: Failure): Omit<Failure, 'about'> => failure;

/** The failures that an automatic retry may fix. All others end the job at once. */
const RETRYABLE: ReadonlySet<FailureCode> = new Set([
  'INPUT_UNAVAILABLE',
  'NO_SPACE',
  'STORAGE_FAULT',
  'WORKER_LOST',
  'DEVICE_FAILED',
]);

export const isRetryable = (code: FailureCode): boolean => RETRYABLE.has(code);

/**
 * Ends an attempt of a job. The message is for the caller; `cause` is only for the log. `nonRetryable`: a retry would
 * fail in the same way, whatever the code.
 */
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

/**
 * Ends an attempt that failed only because of other work on the same machine, which ends. The attempt does not count, and
 * another one follows.
 */
export class AttemptDeferred extends JobFailed {}

/**
 * Ends an attempt that met a storage or a server that is down or overloaded, which is no fault of the job. The attempt does not
 * count, and others follow until the outage has lasted too long.
 */
export class StorageDown extends JobFailed {}

/** The maximum number of attempts of a job. A job whose worker crashed in the last attempt fails with WORKER_LOST. */
export const MAX_ATTEMPTS = 3;
