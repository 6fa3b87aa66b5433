import type { ConversionRequest } from './conversion.ts';
import type { Failure } from './failure.ts';
import type { JobPhase, JobStatus } from './states.ts';

/** How far a running conversion is. */
export interface Progress {
  /** 0–100; undefined while the length of the result is not known. */
  readonly percent?: number;
  /** Media seconds per wall second: 2 is twice as fast as it plays. */
  readonly speed?: number;
  readonly fps?: number;
  readonly etaSeconds?: number;
}

/** One stream of an output, as ffmpeg reports it. */
export interface OutputStream {
  readonly index: number;
  readonly type: 'video' | 'audio' | 'subtitle' | 'data' | 'attachment';
  readonly codec: string;
  /** `High`, `LC`; encoders tell it seldom. */
  readonly profile?: string;
  /** Where the container keeps it. */
  readonly language?: string;
  /** What is set of it (`default`, `forced`, `attached_pic`, …), where the container keeps it. */
  readonly disposition?: readonly string[];
  readonly width?: number;
  readonly height?: number;
  readonly fps?: number;
  /** As the encoder was given it. */
  readonly pixelFormat?: string;
  readonly sampleRate?: number;
  readonly channels?: string;
}

/** A file that a completed job left. */
export interface JobOutput {
  /** Relative to the client's media root. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Which very file was published, so that no other is deleted for it. Not shown. */
  readonly fingerprint?: string;
  readonly durationSeconds?: number;
  readonly streams?: readonly OutputStream[];
}

/** A job as the store holds it and the use cases hand it out. Times are ISO 8601 UTC. */
export interface Job {
  /** UUID version 7: sorts by the time it was made. */
  readonly jobId: string;
  readonly clientId: string;
  readonly status: JobStatus;
  readonly phase?: JobPhase;
  readonly request: ConversionRequest;
  readonly progress?: Progress;
  readonly retryOf?: string;
  readonly attempt: number;
  readonly createdAt: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly cancelRequestedAt?: string;
  readonly error?: Failure;
  readonly outputs?: readonly JobOutput[];
}
