import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { ClientLimits } from '../../domain/client-limits.ts';
import type { TrialRun } from '../../ffmpeg/run/trial.ts';
import { createSpaceWatch } from '../../jobs/run/space-watch.ts';
import { scratchUsage } from '../../media/scratch/scratch-folders.ts';
import { previewSpace } from './preview-space.ts';

/** The most bytes that a run of a trial may write, in all its files. */
const MAX_BYTES = 256 * 2 ** 20;

/** Runs a trial that works in `folder` within the limits of its client. Throws NO_SPACE if the reserve of the disk has no room for it. */
export type InTrialSpace = <T>(
  folder: string,
  policy: ClientLimits,
  use: (watch: TrialRun['watch']) => Promise<T>,
) => Promise<T>;

/** Keeps what trials write within the limits of clients and outside of the reserves, as jobs and previews do. */
export function trialSpace(
  config: Pick<Config, 'mediaRoot' | 'minFreeBytes' | 'minFreeDataBytes' | 'dataDir'>,
): InTrialSpace {
  const reserve = previewSpace(config);
  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(config.dataDir);
    return bavail * bsize;
  };
  const measured = {
    freeBytes,
    scratchUsage: ({ name: dir }: { readonly name: string }) =>
      scratchUsage({ isLocal: false, pathOf: (name) => join(dir, name) }),
  };
  const space = createSpaceWatch(measured, config.minFreeDataBytes);
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
