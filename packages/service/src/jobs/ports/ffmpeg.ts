import type { AnalysisSpec, Measurements } from '@telecine/contract/domain/analysis.ts';
import type { EncodedVideo } from '@telecine/contract/domain/chunks.ts';
import type { Caller, Scope } from '@telecine/contract/domain/client.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { ConversionEstimate } from '@telecine/contract/domain/estimate.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { HlsEncryption } from '@telecine/contract/domain/hls-encryption.ts';
import type { OutputReport, Progress } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type {
  OutputFiles,
  Plan,
  PlanDraft,
  PlannedInput,
  ProbedInput,
  Warning,
} from '@telecine/contract/domain/plan.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import type { ObservedRun } from '@telecine/ffmpeg/estimate/observe-run.ts';
import type { ProbePlan } from '@telecine/ffmpeg/probe/plan-probe.ts';
import type { LateProbe, ProbeOutcome } from '@telecine/ffmpeg/probe/probe.ts';
import type { ClipToProbe, ProbedClip } from '@telecine/ffmpeg/probe/probe-clip.ts';
import type { RunOutcome } from '@telecine/ffmpeg/run/conversion-run.ts';
import type { ChunkWorker } from '../../workers/worker-operations.ts';
import type { PathStat, Scratch, StagedInput } from './media-store.ts';

/** Data of a client on which the plans of its requests depend. */
export interface ClientContext {
  /** The id of the client. Clients take turns if their requests take long to plan. */
  readonly clientId: string;
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  /** true: the client was revoked, so its jobs do not run. */
  readonly isRevoked?: boolean;
  /** The scopes of the client. Absent: the client is unknown. */
  readonly scopes?: readonly Scope[];
}

export type PlanResult<P = Plan> =
  | { readonly ok: true; readonly plan: P }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** A request whose files are known, but not what is in them. */
export interface RequestDraft<P = Plan> extends PlanDraft {
  /** What is already known to be wrong with the request. `finish` finds the rest. */
  readonly errors: readonly FieldError[];
  /** Plans the request. If a fact about an input is unknown, assumes a value. */
  readonly finish: (media: InputMedia) => Promise<PlanResult<P>>;
  /** Plans a measurement of the first input. */
  readonly planMeasurement: (analysis: AnalysisSpec) => PlanResult;
}

/** Reads a request and makes the first half of its plan. */
export type Planner<P = Plan> = (request: ConversionRequest, context: ClientContext) => Promise<RequestDraft<P>>;

/** What is known about each input, in the order of the request. undefined: it is not a file, or was not probed. */
export type InputMedia = readonly (ProbedInput | undefined)[];

/** The parts of a plan that submissions and dry runs compare with the files. */
export interface PlanOfPaths {
  readonly outputs: readonly Pick<OutputFiles, 'field' | 'path' | 'replace'>[];
  readonly inputs: readonly Pick<PlannedInput, 'path' | 'field' | 'sequence' | 'url' | 'isSource'>[];
  readonly devices?: Plan['devices'];
  /**
   * Present if the plan assumes the content of an input that is joined, cut or transcribed. `unread`: the first input that
   * could not be read in time.
   */
  readonly assumes?: { readonly unread?: MediaPath };
  readonly warnings: readonly Warning[];
}

export interface SubmittedPlan extends PlanOfPaths {
  readonly requirements: Requirements;
  /** The maximum length of media that the job can publish, in seconds. Absent if it depends on the inputs. */
  readonly seconds?: number;
}

/**
 * Plans a request without reading its inputs, and returns only a part of the plan. Does not plan it if a similar request
 * was planned before.
 */
export type SubmissionPlanner = (
  request: ConversionRequest,
  context: ClientContext,
) => Promise<PlanResult<SubmittedPlan>>;

/** An input that no conversion can read, because of its contents. */
export interface UnreadableInput {
  readonly index: number;
  readonly cause: Pick<FieldError, 'message' | 'fix'>;
}

export interface Estimated {
  readonly estimate: ConversionEstimate;
  /** The workers that take jobs, as the estimate counts them. Absent: none is known. */
  readonly workers?: readonly ChunkWorker[];
  readonly unreadable: readonly UnreadableInput[];
  /**
   * Warnings that a run with these inputs would certainly have: it would fail, or it would leave an input out. Also
   * warnings about inputs that were not read in time.
   */
  readonly foreseen: readonly Warning[];
  /** The kinds of streams that every output certainly encodes. */
  readonly encoded: ReadonlySet<Warning['failsWith'] & string>;
}

/**
 * Estimates the outputs of a plan and the duration of the conversion. Probes the inputs for a few seconds at most. If a
 * fact is unknown, the estimate contains the reason. `stats`: the stats of the inputs, in the order of the plan. Throws
 * only the reason of `signal`.
 */
export type Estimator = (
  caller: Caller,
  plan: Plan,
  stats: readonly PathStat[],
  signal?: AbortSignal,
) => Promise<Estimated>;

/**
 * Runs the command of a request for a moment, and returns a warning if the job would fail. Uses a cached result if
 * there is one. Runs nothing if ffmpeg accepts every value of the options, if the caller may not submit a job now, or
 * if the job could end differently, such as with missing inputs or several builds. `request`: after its recipe was
 * applied. `stats`: the `PathStat` of each input that is a file. Throws only the abort reason of `hangUp`.
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
  readonly late?: LateProbe;
}

/**
 * Runs ffprobe and waits until its process has ended. Throws NOT_IMPLEMENTED if ffprobe is not installed, and the
 * reason of an abort.
 */
export type Prober = (task: ProbeTask) => Promise<ProbeOutcome>;

/** Probes a staged file that is joined with other files. Throws the reason of an abort. */
export type ClipProber = (clip: ClipToProbe, input: StagedInput, signal: AbortSignal) => Promise<ProbedClip>;

interface ConversionTask {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** The HLS key, if the plan encrypts HLS. The plan does not contain it, so only code that starts ffmpeg gets it. */
  readonly encryption?: HlsEncryption | undefined;
  /** An abort of this signal ends ffmpeg, first with SIGTERM and later with SIGKILL. */
  readonly signal: AbortSignal;
  /**
   * Called before ffmpeg starts. `deletedBytes`: returns the disk space of files that ffmpeg has deleted and still
   * holds open. It throws `JobFailed` if the space is unknown.
   */
  onCountable(deletedBytes: () => Promise<number>): void;
  /**
   * Called when the sandbox (bubblewrap) is ready. ffmpeg starts when the returned promise resolves. `ended`: settles
   * when ffmpeg has ended.
   */
  waitForTurn(ended: Promise<unknown>): Promise<void>;
  onStart(): void;
  onProgress(progress: Progress, log: string): void;
  /** The seconds that a stopped ffmpeg has to finish its outputs. Default: 5. */
  readonly graceSeconds?: number;
  /** Called with an error of the service that does not change the outcome. The error is for the log of the operator. */
  onFault(error: unknown): void;
}

/** What a conversion has shown, and how long ffmpeg ran for it, in seconds. */
export interface MeasuredRun extends ObservedRun {
  readonly seconds: number;
}

/** A conversion that ran whole. `busyCores`: how many cores the other jobs of the worker used meanwhile, on average. */
export interface MeasuredConversion extends MeasuredRun {
  readonly busyCores: number;
}

type LoggedRun = Extract<RunOutcome, { ok: true }>;

/** The result of a conversion that has succeeded. `log`: the lines that clients may read. */
export interface ConvertedOutputs {
  readonly ok: true;
  /** The reports about the outputs, in the order of the plan. */
  readonly outputs: readonly OutputReport[];
  readonly log: string;
  readonly warnings: readonly Warning[];
  /** The measurements of an analysis, which has no outputs. */
  readonly measurements?: Measurements;
  /** Present if the run may show how long such jobs take. */
  readonly measured?: MeasuredRun;
  /** The videos of each output, as ffmpeg logged them. Absent or empty: they are not known. */
  readonly encodedVideos?: readonly (readonly EncodedVideo[])[];
  /** What the log says of the inputs, and what each output took from them. Absent or empty: it is not known. */
  readonly inputs?: LoggedRun['inputs'];
  readonly taken?: LoggedRun['taken'];
}

/**
 * The result of a conversion. `log`: the lines that clients may read. `raw`: the last lines of the log, for the
 * operator. After an abort, the failure has the code CANCELLED.
 */
export type ConversionOutcome =
  | ConvertedOutputs
  | { readonly ok: false; readonly failure: Failure; readonly log: string; readonly raw?: string };

/** Runs a conversion. Resolves when all its ffmpeg processes have ended. */
export type Converter = (task: ConversionTask) => Promise<ConversionOutcome>;
