import { JobFailed } from '../../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../../domain/hint.ts';
import type { JobOutput } from '../../../domain/job.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { PublishIntent } from '../../../jobs/ports/media-store.ts';

/** An object to be published. All its parts are uploaded. */
export interface IntendedObject {
  readonly key: string;
  readonly path: MediaPath;
  readonly uploadId: string;
  /** The ETags of its parts, without quotes. Absent if there are many, or if an earlier build stored the intent. */
  readonly partETags?: readonly string[];
  /** The value of `OUTPUT_METADATA`: which attempt wrote the object. */
  readonly fingerprint: string;
  /** Objects with a lower rank are published first. */
  readonly rank: number;
}

/** The objects that the S3 engine publishes. */
export interface PublishList {
  readonly bucket: string;
  /** The address of the bucket in requests. Absent for the storage of the service. */
  readonly address?: string;
  /** Whether the objects may replace existing ones. */
  readonly replace: boolean;
  readonly objects: readonly IntendedObject[];
}

const ENGINE = 's3';
const VERSION = 1;

export const toIntent = (scratch: string, list: PublishList, outputs: readonly JobOutput[]): PublishIntent => ({
  scratch,
  outputs,
  engine: ENGINE,
  version: VERSION,
  data: list,
});

/** Reads an intent that this build or an earlier one stored. Throws STORAGE_FAULT for another engine or version. */
export function readIntent(intent: PublishIntent): PublishList {
  if (intent.engine === ENGINE && intent.version === VERSION) return intent.data as PublishList;
  throw otherStorage(`publish intent of engine "${intent.engine}", version ${intent.version}`);
}

/** The failure of a job whose files were prepared for another storage. `cause`: for the operator's log. */
export const otherStorage = (cause: string): JobFailed =>
  new JobFailed(
    {
      code: 'STORAGE_FAULT',
      message: 'The finished files were prepared for another storage, or by another version of the service.',
      fix: hint`${RETRY_JOB}.`,
    },
    new Error(cause),
    true,
  );
