import type { Measurements } from '@telecine/contract/domain/analysis.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { ConversionEstimate } from '@telecine/contract/domain/estimate.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { HlsEncryption } from '@telecine/contract/domain/hls-encryption.ts';
import type { OutputReport, Progress } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { MaybePromise } from '@telecine/contract/domain/maybe-promise.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type {
  OutputFiles,
  Plan,
  PlannedCut,
  PlannedInput,
  PlannedJoin,
  PlannedTranscript,
  ProbedInput,
  Warning,
} from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { ProbePlan } from '@telecine/ffmpeg/probe/plan-probe.ts';
import type { ProbeOutcome } from '@telecine/ffmpeg/probe/probe.ts';
import type { ClipToProbe, ProbedClip } from '@telecine/ffmpeg/probe/probe-clip.ts';
import type { PathStat, Scratch, StagedInput } from './media-store.ts';

/** The data of a client that its plans depend on. */
export interface ClientContext {
  /** The client of the request. Clients take turns when their requests take long to plan. */
  readonly clientId: string;
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  /** Whether the client was revoked. Its jobs then do not run. */
  readonly isRevoked?: boolean;
}

export type PlanResult<P = Plan> =
  | { readonly ok: true; readonly plan: P }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Plans a request. Runs ffmpeg to find facts that the catalogue lacks. If facts about an input are unknown, the plan assumes them. */
export type Planner = (request: ConversionRequest, context: ClientContext, media?: InputMedia) => Promise<PlanResult>;

/** The facts about the inputs that a request joins, in the order of the inputs. undefined: the input is not a file, or was not probed. */
export type InputMedia = readonly (ProbedInput | undefined)[];

/** The parts of a plan that a submission and a dry run check against the files. */
export interface PlanOfPaths {
  readonly outputs: readonly Pick<OutputFiles, 'field' | 'path' | 'replace'>[];
  readonly inputs: readonly Pick<PlannedInput, 'path' | 'field' | 'sequence' | 'url' | 'isSource'>[];
  readonly join?: PlannedJoin;
  readonly cut?: PlannedCut;
  readonly transcript?: PlannedTranscript;
  readonly devices?: Plan['devices'];
  readonly warnings: readonly Warning[];
}

export interface SubmittedPlan extends PlanOfPaths {
  readonly requirements: Requirements;
  /** The maximum length of media that the job publishes, in seconds. Absent if the length depends on the inputs. */
  readonly seconds?: number;
}

/** Checks a request like `Planner`, but returns only a part of the plan. Returns it at once if a similar request was planned before. */
export type SubmissionPlanner = (
  request: ConversionRequest,
  context: ClientContext,
  media?: InputMedia,
) => MaybePromise<PlanResult<SubmittedPlan>>;

/** The part of a plan that an estimate reads. */
export type EstimatedPlan = Pick<
  Plan,
  'inputs' | 'outputs' | 'passes' | 'checks' | 'analysis' | 'join' | 'cut' | 'transcript'
>;

/** An input that a conversion cannot read because of its contents. */
export interface UnreadableInput {
  readonly index: number;
  readonly cause: Pick<FieldError, 'message' | 'fix'>;
}

export interface Estimated {
  readonly estimate: ConversionEstimate;
  readonly unreadable: readonly UnreadableInput[];
  /**
   * The warnings about what a run would certainly do with these inputs: fail, or leave an input out. They include
   * warnings about inputs that were not read in time.
   */
  readonly foreseen: readonly Warning[];
  /** The kinds of streams that every output certainly encodes. */
  readonly encoded: ReadonlySet<Warning['failsWith'] & string>;
}

/**
 * Estimates the output of a plan and the duration of the conversion. Probes the inputs for a few seconds at most. If a
 * fact is unknown, the estimate contains the reason. `stats`: the stats of the inputs, in order. Throws only the reason
 * of `signal`.
 */
export type Estimator = (
  caller: Caller,
  plan: EstimatedPlan,
  stats: readonly PathStat[],
  signal?: AbortSignal,
) => Promise<Estimated>;

/**
 * Runs the command of a request for a moment, and returns a warning if the job would fail. Runs nothing if the result
 * is already known or would be uncertain. `request`: its recipe is already applied. `stats`: the stats of the inputs,
 * in order. Throws only the reason of `hangUp`.
 */
export type CommandTrial = (
  caller: Caller,
  request: ConversionRequest,
  plan: Plan,
  stats: readonly PathStat[],
  hangUp?: AbortSignal,
) => Promise<readonly Warning[]>;

interface ProbeTask {
  readonly plan: ProbePlan;
  readonly input: StagedInput;
  readonly signal: AbortSignal;
}

/** Runs ffprobe and waits until its process has ended. Throws the reason of an abort. Throws NOT_IMPLEMENTED without ffprobe. */
export type Prober = (task: ProbeTask) => Promise<ProbeOutcome>;

/** Probes a staged file that is joined with other files. Throws the reason of an abort. */
export type ClipProber = (clip: ClipToProbe, input: StagedInput, signal: AbortSignal) => Promise<ProbedClip>;

interface ConversionTask {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** The HLS key, if the plan encrypts HLS. It is separate from the plan, so that only ffmpeg receives the key. */
  readonly encryption?: HlsEncryption | undefined;
  /** An abort of this signal ends ffmpeg, first with SIGTERM and later with SIGKILL. */
  readonly signal: AbortSignal;
  /**
   * Called before ffmpeg starts. `deletedBytes`: returns the disk space of deleted files that ffmpeg still has open. It
   * throws `JobFailed` if the space is unknown.
   */
  onCountable(deletedBytes: () => Promise<number>): void;
  /** Called when bubblewrap is ready. ffmpeg starts when the returned promise resolves. `ended`: settles when ffmpeg has ended. */
  waitForTurn(ended: Promise<unknown>): Promise<void>;
  onStart(): void;
  onProgress(progress: Progress, log: string): void;
  /** Called with an error of the service that does not change the outcome. The error goes to the log of the operator. */
  onFault(error: unknown): void;
}

/**
 * The result of a conversion. `log`: the lines that clients may read. `raw`: the last lines of the log, for the
 * operator. After an abort, the failure has the code CANCELLED.
 */
export type ConversionOutcome =
  | {
      readonly ok: true;
      /** The reports about the outputs, in the order of the plan. */
      readonly outputs: readonly OutputReport[];
      readonly log: string;
      readonly warnings: readonly Warning[];
      /** The results, if the plan is an analysis. An analysis has no outputs. */
      readonly measurements?: Measurements;
    }
  | { readonly ok: false; readonly failure: Failure; readonly log: string; readonly raw?: string };

/** Runs a conversion. Resolves when all its ffmpeg processes have ended. */
export type Converter = (task: ConversionTask) => Promise<ConversionOutcome>;
