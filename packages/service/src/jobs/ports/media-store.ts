import type { Failure } from '@telecine/contract/domain/failure.ts';
import type { JobOutput, OutputReport } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { Mount, OutputFiles, PlannedInput, Warning } from '@telecine/contract/domain/plan.ts';

/** The kind of file at a path in a media root. */
export type PathStat =
  | { readonly kind: 'missing' }
  /** All names of one file have the same `fileId`. With it, the fingerprint changes with the content. Use both only for comparison. */
  | { readonly kind: 'file'; readonly fileId: string; readonly fingerprint: string }
  | { readonly kind: 'directory' }
  /** A symlink in the path leaves the media root, or the path is reserved. */
  | { readonly kind: 'outside' }
  /** The URL of a file, about which nothing is known before it is fetched. */
  | { readonly kind: 'url' }
  /** A device, pipe or socket, or a loop of symlinks. */
  | { readonly kind: 'special' };

export interface PathStats {
  /** Stats paths, in order. Must be fast, because every submission calls it. Never throws. */
  statPaths(root: MediaRoot, paths: readonly MediaPath[]): readonly PathStat[] | Promise<readonly PathStat[]>;
}

/** The private scratch folder of one attempt. Use cases know only its name; `ConverterFiles` maps it to a local path. */
export interface Scratch {
  /** `<jobId>.<fence>` */
  readonly name: string;
}

/** The disk space and the number of files that an attempt has used so far. */
export interface ScratchUsage {
  /** The disk space in use. A sparse file uses less than its size. */
  readonly bytes: number;
  readonly files: number;
}

export interface ScratchSpace {
  openScratch(jobId: string, fence: number): Promise<Scratch>;
  /** Measures a scratch folder, without the staged inputs. Throws LIMIT_EXCEEDED for too many files to measure. */
  scratchUsage(scratch: Scratch): Promise<ScratchUsage>;
  /** Returns the free bytes on the fullest of the disks that conversions write to. */
  freeBytes(): Promise<number>;
  /** Removes a scratch folder and its contents. Does nothing if there is none. */
  discard(scratch: Scratch): Promise<void>;
  /** Removes the scratch folders of earlier attempts of a job, except `kept` and folders that this process uses. */
  discardEarlier(jobId: string, fence: number, kept: string | undefined): Promise<void>;
  /** Ends the use of a scratch folder that `openScratch` created, without removing it. Does nothing if it has ended. */
  release(scratch: Scratch): Promise<void>;
  /** Ends processes of an earlier run and removes scratch folders that are not live. Lists the folders before `readLive`. */
  sweep(readLive: () => Promise<readonly string[]>): Promise<void>;
}

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
  readonly missing: string;
  /** How many files with later numbers were not read. */
  readonly unread: number;
}

/** How inputs are staged by an engine that copies them. Others ignore it. */
export interface StagingOptions {
  /** Aborts the copying: `stage` then rejects with the reason of the abort. */
  readonly signal?: AbortSignal;
  /** Called before anything is copied. Throws if the inputs together are too large. */
  readonly checkSizes?: (inputs: readonly Pick<StagedInput, 'sizeBytes'>[]) => void;
  /** Called often with the part of the bytes that is copied, in percent. */
  readonly onProgress?: (percent: number) => void;
  /** The longest time to fetch the inputs that are URLs. Default: none. */
  readonly deadline?: FetchDeadline;
}

/** How long files may be fetched from URLs. */
interface FetchDeadline {
  readonly seconds: number;
  /** The failure of the staging after this time. */
  readonly failure: Failure;
}

interface FileAtUrl {
  readonly url: string;
  /** The part of it that messages contain. */
  readonly path: MediaPath;
  readonly logical: string;
}

export interface InputStaging {
  /**
   * Stages one file outside scratch folders; see `removeInput`. Throws INPUT_NOT_FOUND, INPUT_INVALID, NO_SPACE,
   * STORAGE_FAULT.
   */
  stageFile(root: MediaRoot, path: MediaPath, logical: string, signal?: AbortSignal): Promise<StagedInput>;
  /**
   * Fetches one file, outside any scratch folder. Call `removeInput` afterwards. Absent if the engine fetches no URLs.
   * Throws INPUT_NOT_FOUND, INPUT_INVALID, INPUT_UNAVAILABLE, NO_SPACE, the errors of `checkSizes`, the failure of the
   * deadline, and the reason of an abort.
   */
  stageUrl?(file: FileAtUrl, options?: StagingOptions): Promise<StagedInput>;
  /** Removes the copy that `stageFile` or `stageUrl` made, if any. Never throws. */
  removeInput(input: StagedInput): Promise<void>;
  /**
   * Stages the inputs of a job. Rejects outputs that could not be published. Writes nothing to the media root.
   * `outputs`: empty if another engine publishes them.
   *
   * Throws INPUT_NOT_FOUND, INPUT_INVALID, OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE or STORAGE_FAULT. For a URL, also
   * INPUT_UNAVAILABLE, or the failure that the deadline aborts with.
   */
  stage(
    root: MediaRoot,
    scratch: Scratch,
    inputs: readonly PlannedInput[],
    outputs: readonly OutputFiles[],
    options?: StagingOptions,
  ): Promise<readonly StagedInput[]>;
}

/** The files that an engine is about to publish. Stored before the first one appears, so that publishing survives any crash. */
export interface PublishIntent {
  /** The name of the scratch folder that contains the finished files. */
  readonly scratch: string;
  /** The published outputs. Outputs that the client named come first, in its order. */
  readonly outputs: readonly JobOutput[];
  /** The warnings of the run, for the attempt that finishes publishing after a crash. Absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** The files must be removed, because not all could be published. No attempt may publish them. */
  readonly abandoned?: true;
  /** The name of the engine that created the intent. `version`: the version of its `data`. */
  readonly engine: string;
  readonly version: number;
  /** JSON that only the engine reads. */
  readonly data: unknown;
}

/** An output whose files are in `out/`. */
export interface FinishedOutput {
  readonly files: OutputFiles;
  /** The converter's report about the file that the client named. */
  readonly report: OutputReport;
  /** Files of the service itself about the output, by their names in its subfolder. `prepare` writes them. */
  readonly texts?: readonly { readonly name: string; readonly text: string }[];
}

export interface PrepareOptions {
  /** Ends an upload of the files, if the engine uploads them; `prepare` then rejects with the reason. */
  readonly signal?: AbortSignal;
  /**
   * Repeats work while it throws StorageDown. An engine that uploads calls this for each request, so that an outage
   * loses neither the conversion nor finished uploads. Default: runs the work once.
   */
  readonly whileDown?: WhileDown;
}

export type WhileDown = <T>(work: () => Promise<T>) => Promise<T>;

export interface Publishing {
  /** Writes at a small cost where an output would be. Throws StorageDown if the storage is down, and nothing else. */
  tryToWrite(root: MediaRoot, path: MediaPath, signal?: AbortSignal): Promise<void>;
  /**
   * Makes the files in `out/` durable and ready to be published together. Throws FFMPEG_FAILED if the main output is
   * missing or empty or a file is not planned, OUTPUT_EXISTS if a file would replace an existing one without `"y"`, and
   * INPUT_INVALID if it would replace an input.
   */
  prepare(
    root: MediaRoot,
    scratch: Scratch,
    outputs: readonly FinishedOutput[],
    inputs: readonly StagedInput[],
    options?: PrepareOptions,
  ): Promise<PublishIntent>;
  /**
   * Makes all files appear. Idempotent. Resolves to false if a finished file is gone. Throws OUTPUT_EXISTS,
   * UNSUPPORTED, NO_SPACE, STORAGE_FAULT. Unless it resolves to true, some files may have appeared, and the caller
   * unpublishes them if its claim is valid.
   */
  publish(intent: PublishIntent): Promise<boolean>;
  /** Removes the files that an intent published, unless they were replaced since. Idempotent. */
  unpublish(intent: PublishIntent): Promise<void>;
  /** Deletes outputs from a media root, unless they were replaced or changed since they were published. */
  removeOutputs(root: MediaRoot, outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[]): Promise<void>;
}

/** Local paths for the code that runs ffmpeg, which reads and writes local files whatever the engine. */
export interface ConverterFiles {
  /** Returns the absolute path of a scratch folder on this machine. ffmpeg writes to `out/` and `pass/` in it. */
  scratchFolder(scratch: Scratch): string;
  /** Returns the local paths of staged inputs. */
  mounts(inputs: readonly StagedInput[]): readonly Mount[];
}

/** A media engine. Each caller depends only on the parts that it uses. Every method throws `JobFailed`. */
export interface MediaStore extends PathStats, ScratchSpace, InputStaging, ConverterFiles, Publishing {}
