import type { WholeReason } from '@telecine/contract/domain/chunks.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { ConvertedOutputs } from './ffmpeg.ts';
import type { Scratch, StagedInput } from './media-store.ts';

/** A staged conversion on this machine. */
export interface StagedPlan {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  readonly signal: AbortSignal;
}

/** How the runs of ffmpeg that try samples share the machine, and what they report. */
export interface SampleRuns {
  readonly waitForTurn: (ended: Promise<unknown>) => Promise<void>;
  /** Called with the percentage of the search itself. */
  readonly onProgress: (progress: Progress) => void;
  readonly onLog: (log: string) => void;
}

/** Returns how many seconds the chunks of an input of this length should have, or why it runs whole. */
export type LengthOf = (inputSeconds: number) => number | WholeReason;

/** One chunk of a conversion. */
export interface PlannedChunk {
  /** The plan that encodes the chunk. ffmpeg writes it to `pass/<name>`. */
  readonly plan: Plan;
  readonly name: string;
  /** Where the chunk begins in the output, in seconds. */
  readonly start: number;
  /** How many seconds of the output the progress counts for the chunk. */
  readonly seconds: number;
}

export const isWhole = <T extends object>(result: T | WholeReason): result is WholeReason => 'whole' in result;

/**
 * Splits conversions into chunks, for the ffmpeg of this machine. A `part` is JSON that says what to encode: a chunk, or
 * everything except the video. Only this maker reads it.
 */
export interface ChunkMaker {
  /** Identifies the build of ffmpeg and the plan. All chunks of a job must be made with the same key. */
  planKeyOf(plan: Plan): string;
  /**
   * Identifies the content and the version of staged inputs, which must be files. All chunks of a job must be made with the same key.
   * Throws `JobFailed`.
   */
  inputKeyOf(inputs: readonly StagedInput[]): Promise<string>;
  /** Reads the frames of the staged input, and cuts it. Resolves to the parts in order, or to the reason if the conversion must run whole. */
  cut(staged: StagedPlan, lengthOf: LengthOf): Promise<readonly string[] | WholeReason>;
  /**
   * Finds by samples what all `parts` have in common, and returns them with it: the frame size, or the value for the quality target.
   * Throws `JobFailed`, and the reason of an abort.
   */
  searchBySamples(staged: StagedPlan, parts: readonly string[], runs: SampleRuns): Promise<readonly string[]>;
  /** Plans one run of the whole conversion, if its chunks were not as planned. It has the frame size that was chosen for `part`. */
  wholeOf(plan: Plan, part: string): Plan;
  /** Plans one of the `parts` that `cut` returned. */
  chunkOf(plan: Plan, part: string): PlannedChunk;
  /**
   * Reads what all chunks must have in common from an encoded chunk in `pass/` of the scratch folder. Resolves to a
   * reason if the chunk is not as planned.
   *
   * @param outcome Of its run.
   */
  check(
    staged: StagedPlan,
    part: string,
    outcome: Pick<ConvertedOutputs, 'encodedVideos' | 'outputs'>,
  ): Promise<{ readonly facts: string } | WholeReason>;
  /** Plans the run that joins all chunks. Returns a reason if they do not fit together. */
  join(plan: Plan, parts: readonly string[], facts: readonly string[]): Plan | WholeReason;
  /** Returns the reason if the joined outputs have other frames or another length than their parts. */
  checkJoined(
    plan: Plan,
    parts: readonly string[],
    facts: readonly string[],
    outcome: Pick<ConvertedOutputs, 'encodedVideos' | 'outputs'>,
  ): WholeReason | undefined;
}
