import type { jobOutput, outputStream } from '../wire/job.ts';
import type { Shape } from '../wire/shape.ts';
import type { Measurements } from './analysis.ts';
import type { ConversionRequest } from './conversion.ts';
import type { Failure } from './failure.ts';
import type { Warning } from './plan.ts';
import type { JobPhase, JobStatus } from './states.ts';

export interface Progress {
  /** 0–100; undefined while the length of the output is unknown. */
  readonly percent?: number;
  /** Seconds of media per second: 2 is twice as fast as playback. */
  readonly speed?: number;
  readonly fps?: number;
  readonly etaSeconds?: number;
}

export interface PhaseStart {
  readonly phase: JobPhase;
  readonly startedAt: string;
}

export const STREAM_TYPES = ['video', 'audio', 'subtitle', 'data', 'attachment'] as const;

/** One stream of an output, as ffmpeg reports it. */
export type OutputStream = Shape<typeof outputStream>;

/** A file that a completed job has written. Clients do not see the members that its schema lacks. */
export interface JobOutput extends Shape<typeof jobOutput> {
  /** Identifies the published file, so that a file that replaced it is not deleted. */
  readonly fingerprint?: string;
  /** The length of all files together that quotas count, if `durationSeconds` is absent. */
  readonly mediaSeconds?: number;
}

/** How many outputs the record of a job has at most. Longer lists are stored in parts of this size. */
export const FIRST_OUTPUTS = 100;

export const outputCountOf = ({
  outputs = [],
  outputCount = outputs.length,
}: Pick<Job, 'outputs' | 'outputCount'>): number => outputCount;

/** What a conversion tells of an output that it wrote. */
export type OutputReport = Omit<JobOutput, 'path' | 'sizeBytes'>;

/** A job, as the store and the use cases return it. Times are ISO 8601 in UTC. */
export interface Job {
  /** UUID version 7: sorts by creation time. */
  readonly jobId: string;
  readonly clientId: string;
  readonly status: JobStatus;
  readonly phase?: JobPhase;
  readonly request: ConversionRequest;
  readonly progress?: Progress;
  readonly retryOf?: string;
  readonly attempt: number;
  /** The phases of the newest attempt, in their order. Absent while the job is queued. */
  readonly phases?: readonly PhaseStart[];
  /** The worker of the newest attempt. */
  readonly workerId?: string;
  /** Whether the job is queued and an operator has paused the queue. */
  readonly queuePaused?: true;
  /** What the job needs of its worker; see `Requirements.needs`. Absent if any worker runs it. */
  readonly needs?: readonly string[];
  /** How many slots of its worker the job uses. Absent if it is at most one. */
  readonly slots?: number;
  /** The batch that it was submitted with, and its name there. */
  readonly batchId?: string;
  readonly name?: string;
  /** The jobs of `request.after` that are not complete yet. Absent if there are none. */
  readonly waitingFor?: readonly string[];
  /** When the last job that this one waited for was complete. Absent if this one never waited. */
  readonly releasedAt?: string;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly cancelRequestedAt?: string;
  readonly error?: Failure;
  /** Warnings about the request, and, once the job has ended, about the run. Absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** The first of its outputs, at most `FIRST_OUTPUTS`: those that the request names, then others. */
  readonly outputs?: readonly JobOutput[];
  /** The number of all its outputs. Absent if `outputs` has all. */
  readonly outputCount?: number;
  /** The results of an analysis that is complete. */
  readonly measurements?: Measurements;
  /** When its outputs are removed. Absent if they are kept, or there are none. */
  readonly outputsExpireAt?: string;
  /** Present once they were removed because they had expired. */
  readonly outputsExpired?: true;
  /** The span of the submitting request (`traceparent` of W3C Trace Context). Absent if it is not recorded. Clients do not see it. */
  readonly traceParent?: string;
}
