import type { MediaStore, Scratch } from '../ports/media-store.ts';

export interface DiscardDeps {
  readonly media: Pick<MediaStore, 'discard'>;
  /** For the operator's log. */
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/**
 * Removes the files of an attempt: staged inputs and unpublished files that ffmpeg wrote. A cancelled or failed job has
 * no other files. Published outputs stay. Reports an error instead of throwing it, so that the job can end; the next
 * start of the service removes the remaining files.
 */
export async function discardAttemptFiles(
  { media, onInternalError }: DiscardDeps,
  jobId: string,
  scratch: Scratch | undefined,
): Promise<void> {
  if (scratch === undefined) return;
  await media.discard(scratch).catch((error) => onInternalError(jobId, error));
}
