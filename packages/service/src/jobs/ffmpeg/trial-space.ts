import { statfs } from 'node:fs/promises';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';
import type { TrialRun } from '@telecine/ffmpeg/run/trial.ts';
import type { ScratchUsage } from '../ports/media-store.ts';
import { createSpaceWatch } from '../run/space-watch.ts';

/** The maximum number of bytes that the files of one trial may have together. */
const MAX_BYTES = 256 * 2 ** 20;

/**
 * Runs a trial that works in `folder`, within the limits of its client. Throws NO_SPACE if too little space is free
 * above the reserve of the disk.
 */
export type InTrialSpace = <T>(
  folder: string,
  policy: ClientLimits,
  use: (watch: TrialRun['watch']) => Promise<T>,
) => Promise<T>;

/** Limits the disk space of trials to the limits of the client and to the space that is free above the reserves. */
export function trialSpace({
  dataDir,
  minFreeDataBytes,
  reserve,
  usageOf,
}: {
  readonly dataDir: string;
  readonly minFreeDataBytes: number;
  /** Reserves bytes on the disk of a folder. Returns a function that releases them. Throws NO_SPACE. */
  readonly reserve: (folder: string, bytes: number) => Promise<() => void>;
  readonly usageOf: (folder: string) => Promise<ScratchUsage>;
}): InTrialSpace {
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize;
  };
  const measured = {
    freeBytes,
    scratchUsage: ({ name }: { readonly name: string }) => usageOf(name),
  };
  const space = createSpaceWatch(measured, minFreeDataBytes);
  return async (folder, policy, use) => {
    const limits = { ...policy, scratch: Math.min(policy.scratch ?? MAX_BYTES, MAX_BYTES) };
    const release = await reserve(folder, limits.scratch);
    try {
      const free = await freeBytes();
      return await use((dir) => space.watch({ name: dir }, limits, free));
    } finally {
      release();
    }
  };
}
