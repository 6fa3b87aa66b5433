import type { ClientLimits } from '../../domain/client-limits.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import type { Requirements } from '../../domain/lane.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import type {
  OutputFiles,
  Plan,
  PlannedCut,
  PlannedInput,
  PlannedJoin,
  PlannedTranscript,
  ProbedInput,
  Warning,
} from '../../domain/plan.ts';
import type { FieldError } from '../../domain/problem.ts';

/** The data of a client that its plans depend on. */
export interface ClientContext {
  /** Clients take turns with requests that take long to plan. */
  readonly clientId: string;
  readonly root: MediaRoot;
  readonly policy: ClientLimits;
  /** Whether the client was revoked. Its jobs do not run. */
  readonly isRevoked?: boolean;
}

/** A plan, or the errors in the request. */
export type PlanResult<P = Plan> =
  | { readonly ok: true; readonly plan: P }
  | { readonly ok: false; readonly errors: readonly FieldError[] };

/** Plans a request. First queries ffmpeg for facts that the catalogue lacks. What is unknown about inputs is assumed. */
export type Planner = (request: ConversionRequest, context: ClientContext, media?: InputMedia) => Promise<PlanResult>;

/**
 * What is known about the inputs of a request that joins them, in its order. undefined for an input that is not a file, and for
 * one that nobody has looked into.
 */
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

/** The parts of a plan that a submission needs. */
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
