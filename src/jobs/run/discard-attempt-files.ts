import type { MediaStore, Scratch } from '../ports.ts';

export interface DiscardDeps {
  readonly media: Pick<MediaStore, 'discard'>;
  /** For the operator's log. */
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/**
 * Removes the files of an attempt: staged inputs, and whatever ffmpeg wrote that was not published. Nothing else of a
 * cancelled or failed job exists, and published outputs stay. An error must not keep the job from ending; the next start
 * removes what is left.
 */
export async function discardAttemptFiles(
  { media, onInternalError }: DiscardDeps,
  jobId: string,
  scratch: Scratch | undefined,
): Promise<void> {
  if (scratch === undefined) return;
  await media.discard(scratch).catch((error) => onInternalError(jobId, error));
}
