import { basename } from 'node:path';
import { JobFailed } from '../../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../../domain/hint.ts';
import type { JobOutput } from '../../../domain/job.ts';
import type { PublishIntent } from '../../../jobs/ports/media-store.ts';

/** One file to be published. */
export interface IntendedFile {
  /** Absolute path of the finished file, before it is published. */
  readonly temporary: string;
  /** Absolute path of the published file. */
  readonly target: string;
  /** The path of the published file, relative to the client's media root. */
  readonly path: string;
  /** `dev:ino` of the temporary. */
  readonly fileId: string;
  /** See `JobOutput`. */
  readonly fingerprint: string;
  readonly sizeBytes: number;
}

/** The files that the local engine publishes together. */
export interface PublishList {
  /** Absolute path of the scratch folder. */
  readonly scratchDir: string;
  /** Whether the files may replace existing ones. */
  readonly replace: boolean;
  /** In the order of publishing; the output that the client named comes last. */
  readonly files: readonly IntendedFile[];
}

/**
 * Intents of builds before version 1 have the list at the top level, and the path of the scratch folder as its name.
 */
interface UnversionedIntent {
  readonly scratch: string;
  readonly replace: boolean;
  readonly files: readonly (Omit<IntendedFile, 'fileId'> & { readonly identity: string })[];
  readonly engine?: never;
}

const ENGINE = 'local';
const VERSION = 1;

/** Converts a list to the intent that is stored with the job. */
export const toIntent = (list: PublishList, outputs: readonly JobOutput[]): PublishIntent => ({
  scratch: basename(list.scratchDir),
  outputs,
  engine: ENGINE,
  version: VERSION,
  data: list,
});

/** Reads an intent that this build or an earlier one stored. Throws STORAGE_FAULT for another engine or version. */
export function readIntent(intent: PublishIntent): PublishList {
  const stored = intent as PublishIntent | UnversionedIntent;
  if (stored.engine === undefined) {
    const { scratch, replace, files } = stored;
    return {
      scratchDir: scratch,
      replace,
      files: files.map(({ identity, ...file }) => ({ ...file, fileId: identity })),
    };
  }
  if (stored.engine !== ENGINE || stored.version !== VERSION)
    throw new JobFailed(
      {
        code: 'STORAGE_FAULT',
        message: 'The finished files were prepared by another version of the service.',
        fix: hint`${RETRY_JOB}.`,
      },
      new Error(`publish intent of engine "${stored.engine}", version ${stored.version}`),
      true,
    );
  return stored.data as PublishList;
}
