import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import pLimit, { type LimitFunction } from 'p-limit';
import { deviceOf, recentMounts } from '../paths/mounts.ts';
import { DiskUnavailable } from '../paths/remote-calls.ts';
import { type ResolvedPath, resolveIn } from '../paths/resolve-symlinks.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';

/**
 * Runs a change of files at paths of a client, so that nothing changes between a check and the change that the check allows. The changes on
 * a disk run one at a time, and those on another disk do not wait for them: `change` has no limit of time. Rejects with UNAVAILABLE if the
 * disk of a path does not reply.
 *
 * @param paths The first one decides whose turn it is. (A move to another disk fails, so its other path has no queue of its own.)
 */
export type RunChange = <T>(
  boundary: RootBoundary,
  paths: readonly [MediaPath, ...MediaPath[]],
  change: () => Promise<T>,
) => Promise<T>;

export function changeQueues(): RunChange {
  const queues = new Map<string, LimitFunction>();
  const queueOf = (device: string): LimitFunction => {
    const queue = queues.get(device) ?? pLimit(1);
    queues.set(device, queue);
    return queue;
  };
  return async (boundary, paths, change) => {
    for (const path of paths) await resolveIfReadable(boundary, path.split('/'));
    // Changes of an entry are changes of its folder, also if the entry is a symlink to another disk.
    const folder = await resolveIfReadable(boundary, paths[0].split('/').slice(0, -1));
    const real = folder === undefined || folder.kind === 'loop' ? boundary.root : folder.real;
    return queueOf(deviceOf(recentMounts(), real))(change);
  };
}

/** Ignores other errors than that of a disk that does not reply: the change reports them. */
const resolveIfReadable = (boundary: RootBoundary, names: readonly string[]): Promise<ResolvedPath | undefined> =>
  resolveIn(boundary, names).catch((error: unknown) => {
    if (error instanceof DiskUnavailable) throw error;
    return undefined;
  });
