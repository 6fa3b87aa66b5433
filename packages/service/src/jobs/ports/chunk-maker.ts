import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { Scratch, StagedInput } from './media-store.ts';

/** A staged conversion on this machine. */
export interface StagedPlan {
  readonly plan: Plan;
  readonly policy: ClientLimits;
  readonly scratch: Scratch;
  readonly inputs: readonly StagedInput[];
  readonly signal: AbortSignal;
}

/** How the runs of ffmpeg that choose a frame size share the machine, and what they report. */
export interface FrameSizeRuns {
  readonly waitForTurn: (ended: Promise<unknown>) => Promise<void>;
  /** Called with the percentage of the choice itself. */
  readonly onProgress: (progress: Progress) => void;
  readonly onLog: (log: string) => void;
}

/** How long chunks should be, in seconds. */
export interface ChunkLengths {
  readonly seconds: number;
  /** The last `span` of the input is cut into chunks of this length. Absent: all are alike. */
  readonly end?: { readonly span: number; readonly seconds: number };
}

/** Returns how long the chunks of an input of this length in seconds should be, or why chunks do not pay. */
export type LengthsOf = (length: number) => ChunkLengths | WholeReason;

/**
 * Says what `"chunks": "auto"` does with an input: how many of the live workers share it, or why the job runs whole. `length`: in seconds. `running`: see `ClientLimits`.
 */
export type AutoChunks = (
  length: number,
  running: number | undefined,
) => Promise<{ readonly shared: string } | WholeReason>;

/** One chunk of a conversion. */
export interface PlannedChunk {
  /** The plan that encodes the chunk. ffmpeg writes it to `pass/<name>`. */
  readonly plan: Plan;
  readonly name: string;
  /** Where the chunk begins in the output, in seconds. */
  readonly start: number;
  /** The bytes of the input that are needed to encode the chunk, and for `ChunkMaker.inputKeyOf`. Absent: all. */
  readonly bytes?: readonly ByteRange[];
  /** How many seconds of the output the chunk has. For the streams without video: the length of the whole output. */
  readonly seconds: number;
  /** True if another part will be encoded in its place, so that the chunk counts little for the progress. */
  readonly isTrial: boolean;
  /** True if the chunk has a bit rate of its own, which may be too low for the encoder. */
  readonly hasShare: boolean;
}

/** Why a conversion runs whole, as a sentence. */
export interface WholeReason {
  readonly whole: string;
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
  /** Reads the frames of the staged input, and decides where to cut it. */
  cut(staged: StagedPlan, lengthsOf: LengthsOf): Promise<{ readonly parts: readonly string[] } | WholeReason>;
  /** Chooses the frame size that all `parts` from `cut` have, and returns them with it. Throws `JobFailed`, and the reason of an abort. */
  chooseFrameSize(staged: StagedPlan, parts: readonly string[], runs: FrameSizeRuns): Promise<readonly string[]>;
  /** Plans one run of the whole conversion, if its chunks were not as planned. It has the frame size that was chosen for `part`. */
  wholeOf(plan: Plan, part: string): Plan;
  /** Plans one of the `parts` that `cut` returned. */
  chunkOf(plan: Plan, part: string): PlannedChunk;
  /**
   * Reads what all chunks must have in common from an encoded chunk in `pass/` of the scratch folder. Resolves to a
   * reason if the chunk is not as planned.
   */
  check(staged: StagedPlan, part: string): Promise<{ readonly facts: string } | WholeReason>;
  /**
   * Finds the chunks that do not fit those before, and returns the parts to encode in their place, by their numbers. Returns a reason if no other part
   * fits.
   */
  partsToReplace(
    plan: Plan,
    parts: readonly string[],
    facts: readonly string[],
  ): readonly { readonly place: number; readonly part: string }[] | WholeReason;
  /** Plans the run that joins all chunks. Returns a reason if they do not fit together. */
  join(plan: Plan, parts: readonly string[], facts: readonly string[]): Plan | WholeReason;
}
