import type { ByteRange } from '@telecine/contract/domain/byte-ranges.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { JobOutput, OutputReport } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { DraftedOutput, Mount, OutputFiles, PlannedInput, Warning } from '@telecine/contract/domain/plan.ts';

/**
 * Identifies the content of a file. All names (hard links) of one file have the same `fileId`. When the content
 * changes, `fileId` or `fingerprint` changes. Only compare these texts.
 */
export interface FileVersion {
  readonly fileId: string;
  readonly fingerprint: string;
}

/** The kind of file at a path in a media root. */
export type PathStat =
  | { readonly kind: 'missing' }
  /** A regular file. `sizeBytes`: absent if unknown. */
  | ({ readonly kind: 'file'; readonly sizeBytes?: number } & FileVersion)
  | { readonly kind: 'directory' }
  /** The path is reserved, or a symlink in it leaves the media root. */
  | { readonly kind: 'outside' }
  /** The file is at a URL. Nothing about it is known before it is fetched. */
  | { readonly kind: 'url' }
  /** The path is a device, a pipe, a socket or a loop of symlinks. */
  | { readonly kind: 'special' };

export interface PathStats {
  /**
   * Returns the kind of file at each path, in the order of the paths. Must be fast, because every submission calls it.
   * Never throws.
   */
  statPaths(root: MediaRoot, paths: readonly MediaPath[]): Promise<readonly PathStat[]>;
}

/**
 * The private folder of one attempt. Use cases know only its name, and `ConverterFiles` turns the name into a local
 * path.
 */
export interface Scratch {
  /** `<jobId>.<fence>` */
  readonly name: string;
}

/** The disk space and the number of files that an attempt has used so far. */
export interface ScratchUsage {
  /** The disk space in use, in bytes. For a sparse file, that is less than its size. */
  readonly bytes: number;
  readonly files: number;
}

export interface ScratchSpace {
  openScratch(jobId: string, fence: number): Promise<Scratch>;
  /** Measures a scratch folder without its staged inputs. Throws LIMIT_EXCEEDED if there are too many files. */
  scratchUsage(scratch: Scratch): Promise<ScratchUsage>;
  /** Returns the free bytes of the disk with the least free space, among those to which conversions write. */
  freeBytes(): Promise<number>;
  /** Removes a scratch folder and its contents. Does nothing if the folder does not exist. */
  discard(scratch: Scratch): Promise<void>;
  /** Removes the scratch folders of earlier attempts of a job, except `kept` and folders that this process uses. */
  discardEarlier(jobId: string, fence: number, kept: string | undefined): Promise<void>;
  /**
   * Tells the engine that this process no longer uses a scratch folder that `openScratch` returned. Does not remove the
   * folder. May be called twice.
   */
  release(scratch: Scratch): Promise<void>;
  /**
   * Ends ffmpeg processes of an earlier run of the service, and removes scratch folders that no job uses. Lists the
   * folders before it calls `readLive`, so that it does not remove the folder of a job that starts meanwhile.
   */
  sweep(readLive: () => Promise<readonly string[]>): Promise<void>;
}

declare const stagedInput: unique symbol;

/** An input that ffmpeg can read. Only the engine knows where it is; `ConverterFiles` turns it into a mount. */
export interface StagedInput {
  readonly [stagedInput]: true;
  /** The size in bytes. For an image sequence, the size of all its images together. */
  readonly sizeBytes: number;
  /** Present if the copy has only the `ends` of `stageFile`. */
  readonly isPartial?: true;
  /** The version that was staged, as `statPaths` returns it. Absent for an image sequence and for a fetched input. */
  readonly file?: FileVersion;
  /** How the server of a fetched input names the version that was fetched. Absent: it names none, or the input was not fetched. */
  readonly version?: string;
  /** Present if an image sequence stopped at a missing number although images with later numbers exist. */
  readonly gap?: SequenceGap;
}

/** How many images a sequence has before the missing one, and the name of the missing one. */
export interface SequenceGap {
  readonly frames: number;
  readonly missing: string;
  /** How many images with later numbers are left out. */
  readonly unread: number;
}

/**
 * Options for an engine that copies inputs when it stages them. An engine that opens them in place ignores these
 * options.
 */
export interface StagingOptions {
  /** An abort stops the copying. `stage` then rejects with the reason of the abort. */
  readonly signal?: AbortSignal;
  /** Called before anything is copied. It throws if the inputs are too large together. */
  readonly checkSizes?: (inputs: readonly Pick<StagedInput, 'sizeBytes'>[]) => void;
  /** Called often, with the percentage of bytes that are copied. */
  readonly onProgress?: (percent: number) => void;
  /** Whether the same inputs are probably read again soon. An engine may keep its copies for a moment. Default: false. */
  readonly isReadAgain?: boolean;
  /** The maximum time to fetch inputs from URLs. Default: no limit. */
  readonly deadline?: FetchDeadline;
}

interface FetchDeadline {
  readonly seconds: number;
  /** The failure of the job if the time is exceeded. */
  readonly failure: Failure;
}

interface FileAtUrl {
  readonly url: string;
  /** The part of the URL that messages may contain. */
  readonly path: MediaPath;
  readonly logical: string;
}

export interface InputStaging {
  /** Whether `stageFile` copies the file at `path`. Otherwise, ffprobe reads the file itself. */
  isCopied(path: MediaPath): boolean;
  /**
   * Stages one file outside a scratch folder. Call `removeInput` afterwards. Throws INPUT_NOT_FOUND, INPUT_INVALID,
   * NO_SPACE, STORAGE_FAULT. `ends`: of a file that has to be copied and is much larger, this many bytes at its
   * beginning and at its end are enough. The input is then partial (`isPartial`).
   */
  stageFile(
    root: MediaRoot,
    path: MediaPath,
    logical: string,
    signal?: AbortSignal,
    ends?: number,
  ): Promise<StagedInput>;
  /**
   * Copies more bytes of the file at `path` into a partial input of `stageFile`. Absent if the engine makes no partial
   * inputs. Throws INPUT_NOT_FOUND, INPUT_INVALID if the file was replaced meanwhile, NO_SPACE, STORAGE_FAULT.
   */
  fillInput?(
    root: MediaRoot,
    path: MediaPath,
    input: StagedInput,
    bytes: readonly ByteRange[],
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Fetches one file, outside a scratch folder. Call `removeInput` afterwards. Absent if the engine does not fetch
   * URLs. Throws INPUT_NOT_FOUND, INPUT_INVALID, INPUT_UNAVAILABLE, NO_SPACE, the errors of `checkSizes`, the failure
   * of the deadline, and the reason of an abort.
   */
  stageUrl?(file: FileAtUrl, options?: StagingOptions): Promise<StagedInput>;
  /** Removes the copy that `stageFile` or `stageUrl` made, if any. Never throws. */
  removeInput(input: StagedInput): Promise<void>;
  /**
   * Stages the inputs of a job. Also rejects outputs that could not be published later. Writes nothing to the media
   * root. `outputs`: empty if another engine publishes the outputs.
   *
   * Throws INPUT_NOT_FOUND, INPUT_INVALID, OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE, STORAGE_FAULT. For a URL, also throws
   * INPUT_UNAVAILABLE, or the failure of the deadline.
   */
  stage(
    root: MediaRoot,
    scratch: Scratch,
    inputs: readonly PlannedInput[],
    outputs: readonly DraftedOutput[],
    options?: StagingOptions,
  ): Promise<readonly StagedInput[]>;
}

/**
 * What is about to be published. It is stored before the first file appears at its path, so that publishing can be
 * finished after a crash.
 */
export interface PublishIntent {
  /** The name of the scratch folder that contains the finished files. */
  readonly scratch: string;
  /** The outputs as the job will list them. Outputs that the client named come first, in the order of the request. */
  readonly outputs: readonly JobOutput[];
  /** The warnings of the run, for the attempt that finishes publishing after a crash. Absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** See `JobOutcome`. */
  readonly request?: ConversionRequest;
  /**
   * Present if the files must be removed because not all of them could be published. No attempt may publish them any
   * more.
   */
  readonly abandoned?: true;
  /** `engine`: the name of the media engine that created the intent. `version`: the version of `data`. */
  readonly engine: string;
  readonly version: number;
  /** JSON that only the engine reads. */
  readonly data: unknown;
}

/** An output of ffmpeg, whose files are in `out/` of the scratch folder. */
export interface FinishedOutput {
  readonly files: OutputFiles;
  /** The converter's report about the file that the client named. */
  readonly report: OutputReport;
  /**
   * Additional files about the output that the service itself writes, such as a thumbnail track. `prepare` writes them
   * under these names in the subfolder of the output.
   */
  readonly texts?: readonly { readonly name: string; readonly text: string }[];
}

export interface PrepareOptions {
  /** An abort stops the upload of the files, if the engine uploads. `prepare` then rejects with the reason. */
  readonly signal?: AbortSignal;
  /**
   * Repeats work while it throws StorageDown. An engine that uploads wraps each request in this function, so that an
   * outage does not discard the conversion or the files that are already uploaded. Default: runs the work once.
   */
  readonly whileDown?: WhileDown;
}

export type WhileDown = <T>(work: () => Promise<T>) => Promise<T>;

export interface Publishing {
  /** Tests whether the storage accepts writes at the path of an output. The test is cheap. Throws only StorageDown. */
  tryToWrite(root: MediaRoot, path: MediaPath, signal?: AbortSignal): Promise<void>;
  /**
   * Makes the files in `out/` durable, and prepares to publish all of them together. Throws FFMPEG_FAILED if the main
   * output is missing or empty, or if there is a file that was not planned. Throws OUTPUT_EXISTS if a file would
   * replace an existing one without `"y"`. Throws INPUT_INVALID if a file would replace an input.
   */
  prepare(
    root: MediaRoot,
    scratch: Scratch,
    outputs: readonly FinishedOutput[],
    inputs: readonly StagedInput[],
    options?: PrepareOptions,
  ): Promise<PublishIntent>;
  /**
   * Publishes all files. Idempotent. Resolves to false if a finished file is missing. Throws OUTPUT_EXISTS,
   * UNSUPPORTED, NO_SPACE, STORAGE_FAULT. If it throws or resolves to false, some files may already be published: a
   * caller whose claim is valid must unpublish them.
   */
  publish(intent: PublishIntent): Promise<boolean>;
  /** Removes the files that an intent published, except files that were replaced since then. Idempotent. */
  unpublish(intent: PublishIntent): Promise<void>;
  /**
   * Deletes outputs from a media root, except outputs that were replaced or changed after they were published. Resolves to the bytes of those
   * that were deleted in the media root, and so count for no quota any more.
   */
  removeOutputs(root: MediaRoot, outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[]): Promise<number>;
}

/** Returns local paths for the code that runs ffmpeg. ffmpeg reads and writes local files with every engine. */
export interface ConverterFiles {
  /** Returns the absolute path of a scratch folder on this machine. ffmpeg writes to its folders `out/` and `pass/`. */
  scratchFolder(scratch: Scratch): string;
  mounts(inputs: readonly StagedInput[]): readonly Mount[];
}

/** A media engine. Each caller should depend only on the interfaces that it uses. The methods throw `JobFailed`. */
export interface MediaStore extends PathStats, ScratchSpace, InputStaging, ConverterFiles, Publishing {
  /** Measures the disk of the media root. Absent if media are not on a disk. */
  diskSpace?(): Promise<DiskSpace>;
}

/** The space of a disk in bytes. The rest of the disk is only for root. */
export interface DiskSpace {
  readonly usedBytes: number;
  readonly freeBytes: number;
}
