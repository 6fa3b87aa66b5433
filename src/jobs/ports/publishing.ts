import type { JobOutput, OutputReport } from '../../domain/job.ts';
import type { MediaPath } from '../../domain/media-path.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { OutputFiles, Warning } from '../../domain/plan.ts';
import type { StagedInput } from './input-staging.ts';
import type { Scratch } from './scratch-space.ts';

/**
 * The files that an engine is about to publish. It is stored with the job as JSON before the first file appears, so
 * that publishing can be finished after a crash at any instruction.
 */
export interface PublishIntent {
  /** The name of the scratch folder that contains the finished files. */
  readonly scratch: string;
  /** The outputs of the job, as shown once all are published. Those that the client named come first, in its order. */
  readonly outputs: readonly JobOutput[];
  /** The warnings of the run, for the attempt that finishes publishing after a crash. Absent if there are none. */
  readonly warnings?: readonly Warning[];
  /** Whether the files are to be removed, because not all could be published. Then no attempt may publish them. */
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
   * Runs work, and repeats it while it throws StorageDown. An engine that uploads the files calls this for each request. So an
   * outage loses neither the conversion nor what is uploaded already. Default: runs the work once.
   */
  readonly whileDown?: WhileDown;
}

export type WhileDown = <T>(work: () => Promise<T>) => Promise<T>;

export interface Publishing {
  /**
   * Tries to write where an output would be, at a small cost. Throws StorageDown if its storage is down. Resolves in any other case:
   * what else is wrong is found when the output is published.
   */
  tryToWrite(root: MediaRoot, path: MediaPath, signal?: AbortSignal): Promise<void>;
  /**
   * Makes the files in `out/` durable and ready to be published, all outputs together. Throws FFMPEG_FAILED if the main output is missing or empty or if a file is not in the plan, OUTPUT_EXISTS if another file of the conversion would
   * replace an existing file that `"y"` does not allow it to replace, and INPUT_INVALID if it would replace an input.
   */
  prepare(
    root: MediaRoot,
    scratch: Scratch,
    outputs: readonly FinishedOutput[],
    inputs: readonly StagedInput[],
    options?: PrepareOptions,
  ): Promise<PublishIntent>;
  /**
   * Makes all files appear. Idempotent: a second call completes the first. Resolves to false if a finished file is gone,
   * so that not all can be published. Throws OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE, STORAGE_FAULT. If it does not resolve
   * to true, some files may have appeared, and the caller unpublishes them if its claim is still valid.
   */
  publish(intent: PublishIntent): Promise<boolean>;
  /** Removes the files that an intent published, unless they were replaced since. Idempotent. */
  unpublish(intent: PublishIntent): Promise<void>;
  /** Deletes outputs from a media root, unless they were replaced or changed since they were published. */
  removeOutputs(root: MediaRoot, outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[]): Promise<void>;
}
