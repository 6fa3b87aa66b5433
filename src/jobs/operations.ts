import type { Caller } from '../domain/client.ts';
import type { ConversionRequest } from '../domain/conversion.ts';
import type { Job } from '../domain/job.ts';
import type { MediaInfo, ProbeRequest } from '../domain/media-info.ts';
import type { Plan, Warning } from '../domain/plan.ts';
import type { JobStatus } from '../domain/states.ts';

/** The answer to a submission: the job is on disk. */
export interface Accepted {
  readonly jobId: string;
  readonly status: 'PENDING';
}

export interface DryRun {
  /** One argv per pass, with the program's name first and logical file names. */
  readonly argv: readonly (readonly string[])[];
  readonly plan: {
    /** `name`: what the argv calls the file at `path`. */
    readonly inputs: readonly { readonly name: string; readonly path: string }[];
    readonly output: {
      readonly name: string;
      readonly path: string;
      readonly muxer: string;
      readonly replace: boolean;
    };
    readonly encoders: Plan['encoders'];
    readonly passes: number;
  };
  readonly warnings: readonly Warning[];
}

/** A reserved place in the queue, while the body of a submission is read. */
export interface Admission {
  /** Call this once, when the request is over. `accepted`: the request became a job. */
  release(accepted: boolean): void;
}

export interface IdempotencyKey {
  readonly key: string;
  /** SHA-256 of the request, in hex. */
  readonly bodyHash: string;
}

/** Probing of media files. Throws `Problem`. */
export interface ProbeOperations {
  /**
   * Throws INVALID_REQUEST, INPUT_NOT_FOUND, INPUT_INVALID, UNSUPPORTED, TIMEOUT, RATE_LIMITED, UNAVAILABLE, or the reason
   * of an abort.
   */
  probe(caller: Caller, request: ProbeRequest, signal: AbortSignal): Promise<MediaInfo>;
}

/** How long to wait for a job, and for what. */
export interface JobWaitOptions {
  /** Longest wait. */
  readonly seconds: number;
  /** Ends the wait: the caller has hung up. */
  readonly signal: AbortSignal;
  /** `change`: the first change of any kind ends the wait. `end`: only the end of the job does. */
  readonly until: 'change' | 'end';
  /** Receives the job at the start and after each change. */
  readonly onChange?: ((job: Job) => Promise<void>) | undefined;
}

/** What HTTP and MCP can do with jobs. Each method throws `Problem`; a job of another client is JOB_NOT_FOUND. */
export interface JobOperations {
  /** Reserves a place in the queue before the body is read. Throws TOO_MANY_PENDING. */
  admit(caller: Caller): Promise<Admission>;
  submit(caller: Caller, request: ConversionRequest, idempotency?: IdempotencyKey): Promise<Accepted>;
  dryRun(caller: Caller, request: ConversionRequest): Promise<DryRun>;
  get(caller: Caller, jobId: string): Promise<Job>;
  /**
   * The job as soon as what was waited for has happened, or as it is when the time is over, the signal is aborted or the
   * service stops. undefined: this client has too many waits open.
   */
  wait(caller: Caller, jobId: string, options: JobWaitOptions): Promise<Job | undefined>;
  list(
    caller: Caller,
    query: { readonly status?: JobStatus; readonly limit: number; readonly cursor?: string },
  ): Promise<{ readonly jobs: readonly Job[]; readonly nextCursor?: string }>;
  /** The allowed lines of ffmpeg's log. Empty if there are none yet. */
  log(caller: Caller, jobId: string): Promise<string>;
  /** Ends a PENDING job at once, and asks the worker of a PROCESSING job to end it. Throws JOB_FINISHED. */
  cancel(caller: Caller, jobId: string): Promise<Job>;
  /** Stores a new job with the same request and `retryOf`. Throws JOB_NOT_FINISHED. */
  retry(caller: Caller, jobId: string): Promise<Accepted>;
  /** Deletes a finished job. `outputs`: deletes its files in the media root too. Throws JOB_NOT_FINISHED. */
  remove(caller: Caller, jobId: string, outputs: boolean): Promise<void>;
}
