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
  /** Clients take turns with requests that take long to plan. */
  readonly clientId: string;
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  /** Whether the client was revoked. Its jobs do not run. */
  readonly isRevoked?: boolean;
}

export type PlanResult<P = Plan> =
  | { readonly ok: true; readonly plan: P }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Plans a request. Queries ffmpeg for facts that the catalogue lacks. Unknown facts about inputs are assumed. */
export type Planner = (request: ConversionRequest, context: ClientContext, media?: InputMedia) => Promise<PlanResult>;

/** The facts about the inputs of a request that joins them, in order. undefined: not a file, or not probed. */
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
  /** The most seconds of media that the job publishes. Absent if that depends on its inputs. */
  readonly seconds?: number;
}

/** Checks a request like `Planner`, but returns only a part of its plan: at once if a similar request was planned before. */
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

/** An input that a conversion cannot read, because of its contents. */
export interface UnreadableInput {
  readonly index: number;
  readonly cause: Pick<FieldError, 'message' | 'fix'>;
}

export interface Estimated {
  readonly estimate: ConversionEstimate;
  readonly unreadable: readonly UnreadableInput[];
  /** What a run would certainly do with these inputs: fail, or leave an input out. Includes inputs that were not read in time. */
  readonly foreseen: readonly Warning[];
  /** The kinds of streams that each output certainly encodes. */
  readonly encoded: ReadonlySet<Warning['failsWith'] & string>;
}

/**
 * Estimates the output of a plan and its duration. Probes inputs for a few seconds; unknown facts have a reason in the
 * answer. `stats`: of the inputs, in order. Throws only the reason of `signal`.
 */
export type Estimator = (
  caller: Caller,
  plan: EstimatedPlan,
  stats: readonly PathStat[],
  signal?: AbortSignal,
) => Promise<Estimated>;

/**
 * Runs the command of a request for a moment and warns about the failure of its job. Tries nothing if the result is
 * known or uncertain. `request`: with its recipe applied. `stats`: of the inputs, in order. Throws only the reason of
 * `hangUp`.
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

/** Runs ffprobe until its process has ended. Throws the reason of an abort, and NOT_IMPLEMENTED without ffprobe. */
export type Prober = (task: ProbeTask) => Promise<ProbeOutcome>;

/** Probes a staged file that is joined with others. Throws the reason of an abort. */
export type ClipProber = (clip: ClipToProbe, input: StagedInput, signal: AbortSignal) => Promise<ProbedClip>;

interface ConversionTask {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** Present if the plan encrypts HLS. It is apart from the plan, so that only ffmpeg sees the key. */
  readonly encryption?: HlsEncryption | undefined;
  /** Aborting the signal ends ffmpeg: first with SIGTERM, then with SIGKILL. */
  readonly signal: AbortSignal;
  /** Called before ffmpeg starts. `deletedBytes`: the disk space of open deleted files. Throws a `JobFailed` if it is unknown. */
  onCountable(deletedBytes: () => Promise<number>): void;
  /** Called when bubblewrap is ready; ffmpeg starts when the promise resolves. `ended` settles when ffmpeg has ended. */
  waitForTurn(ended: Promise<unknown>): Promise<void>;
  onStart(): void;
  onProgress(progress: Progress, log: string): void;
  /** Called with an error of the service that does not change the outcome, for the operator's log. */
  onFault(error: unknown): void;
}

/** The result of a conversion. `log`: only allowed lines. `raw`: the last lines, for the operator. After an abort: CANCELLED. */
export type ConversionOutcome =
  | {
      readonly ok: true;
      /** In the order of the plan's outputs. */
      readonly outputs: readonly OutputReport[];
      readonly log: string;
      readonly warnings: readonly Warning[];
      /** The results, if the plan is an analysis. It has no outputs then. */
      readonly measurements?: Measurements;
    }
  | { readonly ok: false; readonly failure: Failure; readonly log: string; readonly raw?: string };

/** Runs a conversion. Resolves when all its ffmpeg processes have ended. */
export type Converter = (task: ConversionTask) => Promise<ConversionOutcome>;
