import { JobFailed } from '@telecine/contract/domain/failure.ts';
import { hint, RETRY_JOB } from '@telecine/contract/domain/hint.ts';
import type { JobOutput } from '@telecine/contract/domain/job.ts';
import type { PublishIntent } from '../jobs/ports/media-store.ts';

const VERSION = 1;

/**
 * Writes and reads the publish intents of one engine. `List`: the list of files to publish together, which the intent
 * contains as JSON.
 */
export const publishIntents = <List>(engine: string) => ({
  write: (scratch: string, list: List, outputs: readonly JobOutput[]): PublishIntent => ({
    ...{ scratch, outputs, engine },
    version: VERSION,
    data: list,
  }),
  /** Throws STORAGE_FAULT if another engine or version wrote the intent. */
  read: (intent: PublishIntent): List => {
    if (intent.engine === engine && intent.version === VERSION) return intent.data as List;
    throw otherStorage(`publish intent of engine "${intent.engine}", version ${intent.version}`);
  },
});

/**
 * The failure of a job whose finished files were prepared for another storage. `cause` is only for the log of the
 * operator.
 */
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
