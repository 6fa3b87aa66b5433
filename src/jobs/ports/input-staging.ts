import type { Failure } from '../../domain/failure.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { OutputFiles, PlannedInput } from '../../domain/plan.ts';
import type { Scratch } from './scratch-space.ts';

declare const stagedInput: unique symbol;

/** An input that the converter can read. Only the engine knows its location. `ConverterFiles` maps it to a mount. */
export interface StagedInput {
  readonly [stagedInput]: true;
  /** The size of the file, or of all frames if the input is a sequence. */
  readonly sizeBytes: number;
  /** Present if a sequence ended at a missing number, although files with later numbers exist. */
  readonly gap?: SequenceGap;
}

/** Where a sequence ended before its last file. */
export interface SequenceGap {
  readonly frames: number;
  /** The name of the file that is missing. */
  readonly missing: string;
  /** How many files with later numbers were not read. */
  readonly unread: number;
}

/** How inputs are staged by an engine that copies them. Others ignore it. */
export interface StagingOptions {
  /** Ends the copies. `stage` then rejects with the reason. */
  readonly signal?: AbortSignal;
  /** Called before anything is copied. Throws if the inputs together are too large. */
  readonly checkSizes?: (inputs: readonly Pick<StagedInput, 'sizeBytes'>[]) => void;
  /** Called often with the part of the bytes that is copied, in percent. */
  readonly onProgress?: (percent: number) => void;
  /** The longest time to fetch the inputs that are URLs. Default: none. */
  readonly deadline?: FetchDeadline;
}

/** How long files may be fetched from URLs. */
export interface FetchDeadline {
  readonly seconds: number;
  /** With what the staging fails after this time. */
  readonly failure: Failure;
}

/** A file at a URL. */
export interface FileAtUrl {
  /** The whole URL. */
  readonly url: string;
  /** The part of it that messages contain. */
  readonly path: MediaPath;
  readonly logical: string;
}

export interface InputStaging {
  /**
   * Stages one file, outside any scratch folder. Call `removeInput` when it is no longer used. Throws INPUT_NOT_FOUND,
   * INPUT_INVALID, NO_SPACE, STORAGE_FAULT, and the reason of an abort.
   */
  stageFile(root: MediaRoot, path: MediaPath, logical: string, signal?: AbortSignal): Promise<StagedInput>;
  /**
   * Fetches one file, outside any scratch folder. Absent if the engine fetches no URLs. Call `removeInput` when it is no
   * longer used. Throws INPUT_NOT_FOUND, INPUT_INVALID, INPUT_UNAVAILABLE, NO_SPACE, what `checkSizes` throws, the failure
   * of the deadline, and the reason of an abort.
   */
  stageUrl?(file: FileAtUrl, options?: StagingOptions): Promise<StagedInput>;
  /** Removes the copy that `stageFile` or `stageUrl` made, if any. Never throws. */
  removeInput(input: StagedInput): Promise<void>;
  /**
   * Stages the inputs of a job, and rejects an output that could not be published later; `outputs` is empty if another
   * engine publishes them. Writes nothing to the media root. Throws INPUT_NOT_FOUND, INPUT_INVALID, OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE,
   * STORAGE_FAULT; for URLs INPUT_UNAVAILABLE and the failure of the deadline.
   */
  stage(
    root: MediaRoot,
    scratch: Scratch,
    inputs: readonly PlannedInput[],
    outputs: readonly OutputFiles[],
    options?: StagingOptions,
  ): Promise<readonly StagedInput[]>;
}
