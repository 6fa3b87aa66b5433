import type { Measurements } from '../../domain/analysis.ts';
import type { ClientLimits } from '../../domain/client-limits.ts';
import type { Failure } from '../../domain/failure.ts';
import type { HlsEncryption } from '../../domain/hls-encryption.ts';
import type { OutputReport, Progress } from '../../domain/job.ts';
import type { Plan, Warning } from '../../domain/plan.ts';
import type { StagedInput } from './input-staging.ts';
import type { Scratch } from './scratch-space.ts';

/** A conversion whose inputs are staged. */
export interface ConversionTask {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  /** Present if the plan encrypts HLS. It is apart from the plan, so that only ffmpeg sees the key. */
  readonly encryption?: HlsEncryption | undefined;
  /** Aborting the signal ends ffmpeg: first with SIGTERM, then with SIGKILL. */
  readonly signal: AbortSignal;
  /**
   * Called before ffmpeg starts. `deletedBytes` returns the disk space of deleted files that ffmpeg still holds open,
   * which are not in the scratch folder. It throws a `JobFailed` if they cannot be counted.
   */
  onCountable(deletedBytes: () => Promise<number>): void;
  /**
   * Called when bubblewrap is ready to start an ffmpeg of the conversion, which starts when the promise resolves. `ended` settles when
   * that ffmpeg has ended. Not called without bubblewrap.
   */
  waitForTurn(ended: Promise<unknown>): Promise<void>;
  onStart(): void;
  onProgress(progress: Progress, log: string): void;
  /** Called with an error of the service that does not change the outcome, for the operator's log. */
  onFault(error: unknown): void;
}

/**
 * The result of a conversion. `log` contains only allowed lines. `raw` contains the last lines as ffmpeg wrote them,
 * for the operator only. After an abort, the failure is CANCELLED, whatever the reason of the abort.
 */
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
