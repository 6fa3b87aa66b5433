import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { Plan } from '@telecine/contract/domain/plan.ts';
import type { ChunkWorker } from '../../workers/worker-operations.ts';
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

/** How long chunks should be, in seconds. */
export interface ChunkLengths {
  readonly seconds: number;
  /** The last `span` of the input is cut into chunks of this length. Absent: all are alike. */
  readonly end?: { readonly span: number; readonly seconds: number };
}

/** Returns how long the chunks of an input of this length in seconds should be, or why it is encoded whole. */
export type LengthsOf = (length: number) => ChunkLengths | WholeReason;

/** What chunks do with an input. */
export interface SharedInput {
  /** How many of the live workers share the input, as a sentence. */
  readonly shared: string;
  readonly workers: number;
}

/**
 * Says what chunks do with an input: how the live workers share it, or why the job runs whole. `wanted`: the length of chunks in the request.
 * undefined: `"auto"`. `length`: in seconds. `running`: see `ClientLimits`. `live`: the workers that take jobs.
 */
export type ChunkForecast = (
  wanted: number | undefined,
  length: number,
  running: number | undefined,
  live: readonly ChunkWorker[],
) => Promise<SharedInput | WholeReason>;

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

/** The size from which on reading or copying an input takes long enough to cut its first chunks meanwhile. */
export const AHEAD_BYTES = 100_000_000;

export interface CutOptions {
  /** The first parts, which an earlier attempt has stored. The rest of the input is cut after them. */
  readonly stored: readonly string[];
  /** Called with the next parts, in order, and with the share of the video that is cut so far. Must not throw. */
  readonly onParts: (parts: readonly string[], share: number) => void;
}

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
  /**
   * Reads the frames of the staged input, and decides where to cut it. Calls `onParts` for the first parts while it reads the
   * rest of a large input. Resolves to a reason if the conversion must run whole, which may be found after some parts were cut.
   */
  cut(staged: StagedPlan, lengthsOf: LengthsOf, options: CutOptions): Promise<WholeReason | undefined>;
  /**
   * Returns the bytes of a partly copied input (`isPartial`) that are needed to cut it and to identify it, with those that are
   * `copied`. If these are all of them, `cut` and `inputKeyOf` take the input. Otherwise call this again with more bytes.
   * undefined: the input must be copied whole.
   */
  bytesToCut(input: StagedInput, copied: readonly ByteRange[]): Promise<readonly ByteRange[] | undefined>;
  /** Returns whether these are all parts of a conversion, in order. */
  isCut(parts: readonly string[]): boolean;
  /**
   * Finds by samples what all `parts` from `cut` have in common, and returns them with it: the frame size, or the value for the quality target.
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
    outcome: Pick<ConvertedOutputs, 'outputs' | 'encodedVideos'>,
  ): Promise<{ readonly facts: string } | WholeReason>;
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
