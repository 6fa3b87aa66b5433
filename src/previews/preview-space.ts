import { stat, statfs } from 'node:fs/promises';
import { JobFailed } from '../domain/failure.ts';

/** Reserves `bytes` on the disk of `folder`; the result ends the reservation. Throws NO_SPACE if the reserve would be used. */
export type ReserveSpace = (folder: string, bytes: number) => Promise<() => void>;

/** Keeps the reserves of the disk for previews: of the data folder, and of the media root if both share the disk. */
export function previewSpace({
  mediaRoot,
  minFreeBytes,
  minFreeDataBytes,
}: {
  readonly mediaRoot: string;
  readonly minFreeBytes: number;
  readonly minFreeDataBytes: number;
}): ReserveSpace {
  let reserved = 0;

  const reserveOf = async (folder: string): Promise<number> => {
    // With an object store, there may be no media root. Its scratch folders are on this disk.
    const [here, media] = await Promise.all([stat(folder), stat(mediaRoot).catch(() => undefined)]);
    const isShared = media === undefined || media.dev === here.dev;
    return isShared ? Math.max(minFreeDataBytes, minFreeBytes) : minFreeDataBytes;
  };

  return async (folder, bytes) => {
    reserved += bytes;
    const release = (): void => {
      reserved -= bytes;
    };
    try {
      const [{ bavail, bsize }, reserve] = await Promise.all([statfs(folder), reserveOf(folder)]);
      if (bavail * bsize - reserved < reserve) throw noSpace();
      return release;
    } catch (error) {
      release();
      throw error;
    }
  };
}

/** `cause`: for the operator's log only. */
export const noSpace = (cause?: unknown): JobFailed =>
  new JobFailed(
    {
      code: 'NO_SPACE',
      message: 'The disk of the service has no room to make this preview.',
      fix: 'Send a smaller file, or ask the operator for space.',
    },
    cause === undefined ? {} : { cause },
  );

/** Whether a write failed because the disk is full. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
