import type { Measurements } from '@telecine/contract/domain/analysis.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { JobOutput } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { withSent } from '@telecine/contract/domain/sent-request.ts';
import type { StoredFiles, WithRoom } from '@telecine/contract/domain/stored-files.ts';
import type { ChunkWorkers } from '../chunk-length.ts';
import type { MeasuredConversion } from '../ports/ffmpeg.ts';
import type { UsageStore } from '../ports/job-records.ts';
import type { Claim, JobClaims } from '../ports/job-store.ts';
import type { InputStaging, PublishIntent, Publishing, Scratch, ScratchSpace } from '../ports/media-store.ts';
import type { ChunkedDeps } from './chunks/convert-in-chunks.ts';
import type { DraftedJob, DraftJobDeps } from './draft-job.ts';
import type { Heartbeat, StopCause } from './heartbeat.ts';
import type { PlanStagedDeps } from './plan-staged.ts';
import type { WatchedConversion } from './space-watch.ts';
import type { ConvertDeps } from './watched-convert.ts';

/** Points at which tests kill the process, to check that the job survives a crash there. */
type Failpoint = 'after-claim' | 'after-intent' | 'after-commit';

export interface AttemptDeps extends DraftJobDeps, PlanStagedDeps, ConvertDeps {
  readonly jobs: Pick<JobClaims, 'recordIntent'>;
  readonly usage: Pick<UsageStore, 'leftFor'>;
  readonly stored: Pick<StoredFiles, 'settle'>;
  readonly withRoom: WithRoom;
  readonly media: ScratchSpace & InputStaging & Publishing;
  readonly minFreeBytes: number;
  /** Returns the failure of a job on this machine if it is not ready now. */
  readonly machineFailure: () => Promise<Failure | undefined>;
  /** Absent if this worker converts all jobs whole. */
  readonly chunked?: ChunkedDeps & ChunkWorkers;
  readonly failpoint: (point: Failpoint) => void;
}

export type AttemptEnd =
  | {
      readonly kind: 'completed';
      readonly outputs: readonly JobOutput[];
      readonly measurements?: Measurements;
      /** The warnings of the run. Absent if there are none. */
      readonly warnings?: readonly Warning[];
      /** See `JobOutcome`. */
      readonly request?: ConversionRequest;
    }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      /** The cause, only for the log of the operator: an error, or the last lines of ffmpeg. */
      readonly cause?: unknown;
      /** true: another attempt would fail in the same way. Set for failures whose code is usually retried. */
      readonly nonRetryable?: boolean;
      /** The warnings because of which a strict job fails. */
      readonly warnings?: readonly Warning[];
    }
  | { readonly kind: 'stopped'; readonly cause: StopCause | 'database outage' }
  /**
   * The storage is down, or this machine cannot run the job now: see `StorageDown` and `AttemptDeferred`. `counts`: whether
   * the attempt counts towards the limit of attempts.
   */
  | { readonly kind: 'outage'; readonly failure: Failure; readonly cause?: unknown; readonly counts: boolean }
  /** This worker cannot run the job. `needs`: what a worker must have to run it. */
  | { readonly kind: 'unfit'; readonly needs: Requirements['needs'] };

/** The result of one attempt. The caller removes the scratch folder after it has stored the result. */
export type AttemptResult = AttemptEnd & {
  readonly log: string;
  readonly scratch?: Scratch;
  /** See `JobOutcome`. */
  readonly request?: ConversionRequest;
  /** Present if the attempt converted the whole job in one run that shows how fast this worker is. */
  readonly measured?: MeasuredConversion;
};

export interface Attempt {
  readonly deps: AttemptDeps;
  readonly claim: Claim;
  /** Aborted when the attempt must stop. The reason is a `StopCause`. */
  readonly signal: AbortSignal;
  readonly heartbeat: Heartbeat;
  scratch: Scratch | undefined;
  /** The request that runs, as far as it is known. */
  request: ConversionRequest;
  /** The request that is stored when the job ends. undefined: the one that the job has. */
  ran: ConversionRequest | undefined;
  /**
   * The intent that may be stored now: from before it is stored until its files are all published or all unpublished.
   */
  openIntent: PublishIntent | undefined;
  watched: WatchedConversion | undefined;
  /** When it began, by `performance.now`. */
  readonly beganMs: number;
  /** The lines of the ffmpeg log that clients may read. */
  log: string;
  measured: MeasuredConversion | undefined;
}

/** Notes the request that runs. If it differs from the stored request of the job, it is stored when the job ends. */
export function noteRequest(attempt: Attempt, { request, facts }: Pick<DraftedJob, 'request' | 'facts'>): void {
  const stored = attempt.claim.job.request;
  attempt.request = request;
  const isOther = stored.recipe !== undefined || stored.usesFallback === true;
  if (isOther && facts === undefined) attempt.ran = withSent(request, stored);
}

/** The end of an attempt if another worker has the job. */
export const LOST: AttemptEnd = { kind: 'stopped', cause: 'lost' };

export const stopped = (signal: AbortSignal): AttemptEnd => ({ kind: 'stopped', cause: signal.reason as StopCause });
