import type { jobOutput, outputStream } from '../wire/job.ts';
import type { Shape } from '../wire/shape.ts';
import type { Measurements } from './analysis.ts';
import type { ConversionRequest } from './conversion.ts';
import type { Failure } from './failure.ts';
import type { Warning } from './plan.ts';
import type { JobPhase, JobStatus } from './states.ts';

export interface Progress {
  /** 0–100. undefined: the length of the output is unknown. */
  readonly percent?: number;
  /** Seconds of media per second: 2 is twice as fast as playback. */
  readonly speed?: number;
  readonly fps?: number;
  readonly etaSeconds?: number;
  /** How many chunks are encoded. Present while a job runs in chunks. The audio and the subtitles count as one. */
  readonly chunks?: { readonly done: number; readonly total: number };
  /** Present while samples are tried. */
  readonly samples?: SampleProgress;
}

/** What samples choose: the frame size for a bit rate, the value of an encoder for a quality, or the versions of a ladder. */
export const SAMPLED_FOR = ['frameSize', 'quality', 'ladder'] as const;

/** How many samples were encoded and compared. `total` is what a search usually needs, and grows if it needs more. */
export interface SampleProgress {
  readonly choose: (typeof SAMPLED_FOR)[number];
  readonly done: number;
  readonly total: number;
}

export interface PhaseStart {
  readonly phase: JobPhase;
  readonly startedAt: string;
}

export const STREAM_TYPES = ['video', 'audio', 'subtitle', 'data', 'attachment'] as const;

/** One stream of an output, as ffmpeg reports it. */
export type OutputStream = Shape<typeof outputStream>;

/** A file that a completed job has written. Members that are not in the schema are hidden from clients. */
export interface JobOutput extends Shape<typeof jobOutput> {
  /** Identifies the published file, so that the service never deletes another file that has replaced it. */
  readonly fingerprint?: string;
  /** The seconds of media in all files, for the quota `media`. Present if `durationSeconds` is absent. */
  readonly mediaSeconds?: number;
}

/** The maximum number of outputs in the record of a job. Longer lists are stored in parts of this size. */
export const FIRST_OUTPUTS = 100;

export const outputCountOf = ({
  outputs = [],
  outputCount = outputs.length,
}: Pick<Job, 'outputs' | 'outputCount'>): number => outputCount;

/** What a conversion reports about an output that it wrote. */
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
  /** The finished job that this one runs again, perhaps with another request. */
  readonly retryOf?: string;
  /** The newest job that runs this one again and was not cancelled. Absent if there is none. See `REPLACING_STATUSES`. */
  readonly retriedAs?: string;
  readonly attempt: number;
  /** The phases of the newest attempt, in order. Absent while the job is queued. */
  readonly phases?: readonly PhaseStart[];
  /** The worker of the newest attempt. */
  readonly workerId?: string;
  /** Present if the job is queued and an operator has paused the queue. */
  readonly queuePaused?: true;
  /** What the worker needs to run the job; see `Requirements.needs`. Absent if any worker can run it. */
  readonly needs?: readonly string[];
  /** How many slots of its worker the job uses. Absent if it uses at most one slot. */
  readonly slots?: number;
  /** The batch that contains the job, and the name of the job in this batch. */
  readonly batchId?: string;
  readonly name?: string;
  /** The watch that has submitted the job. */
  readonly watchId?: string;
  /** The jobs of `request.after` that are not complete yet. Absent if there are none. */
  readonly waitingFor?: readonly string[];
  /** When the last job that this job waited for was complete. Absent if this job never waited. */
  readonly releasedAt?: string;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly cancelRequestedAt?: string;
  readonly error?: Failure;
  /** Warnings about the request. A finished job also has warnings about its run. Absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** The first outputs, at most `FIRST_OUTPUTS`. Outputs that the request names come first. */
  readonly outputs?: readonly JobOutput[];
  /** The number of all outputs. Absent if `outputs` contains all. */
  readonly outputCount?: number;
  /** The results of an analysis that is complete. */
  readonly measurements?: Measurements;
  /** When the outputs are removed. Absent if they are never removed, or if there are none. */
  readonly outputsExpireAt?: string;
  /** Present if the outputs expired and were removed. */
  readonly outputsExpired?: true;
  /**
   * The span of the request that submitted the job (`traceparent` of W3C Trace Context). Absent if spans are not recorded. Hidden from
   * clients.
   */
  readonly traceParent?: string;
}

/**
 * Returns whether a running job runs for the first time. `attempt` does not tell: after an attempt that did not count, the
 * next one has the same number.
 */
export const isFirstAttempt = ({ startedAt, phases }: Pick<Job, 'startedAt' | 'phases'>): boolean =>
  startedAt === phases?.[0]?.startedAt;
