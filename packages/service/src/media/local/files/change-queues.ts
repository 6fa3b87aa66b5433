import { type FairSlots, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { ChangedBy } from '../../../files/ports.ts';
import { deviceOf, recentMounts } from '../paths/mounts.ts';
import { DiskUnavailable } from '../paths/remote-calls.ts';
import { type ResolvedPath, resolveIn } from '../paths/resolve-symlinks.ts';
import type { RootBoundary } from '../paths/root-boundary.ts';

/**
 * Runs a change of files at paths of a client, so that nothing changes between a check and the change that the check allows. The changes on
 * a disk run one at a time, and those on another disk do not wait for them: `change` has no limit of time. Clients take turns, and the changes
 * of each run in their order. Rejects with UNAVAILABLE if the disk of a path does not reply.
 *
 * @param paths The first one decides whose turn it is. (A move to another disk fails, so its other path has no queue of its own.)
 */
export type RunChange = <T>(
  boundary: RootBoundary,
  paths: readonly [MediaPath, ...MediaPath[]],
  change: () => Promise<T>,
) => Promise<T>;

/** Returns what runs the changes of a client. */
export type ChangesOf = (by?: ChangedBy) => RunChange;

export function changeQueues(): ChangesOf {
  const queues = new Map<string, FairSlots>();
  const queueOf = (device: string): FairSlots => {
    const queue = queues.get(device) ?? fairSlots({ slots: 1 });
    queues.set(device, queue);
    return queue;
  };
  return ({ clientId = '', hangUp = NEVER }: Partial<ChangedBy> = {}) =>
    async (boundary, paths, change) => {
      for (const path of paths) await resolveIfReadable(boundary, path.split('/'));
      // Changes of an entry are changes of its folder, also if the entry is a symlink to another disk.
      const folder = await resolveIfReadable(boundary, paths[0].split('/').slice(0, -1));
      const real = folder === undefined || folder.kind === 'loop' ? boundary.root : folder.real;
      return queueOf(deviceOf(recentMounts(), real))(clientId, hangUp, change);
    };
}

/** Ignores other errors than that of a disk that does not reply: the change reports them. */
const resolveIfReadable = (boundary: RootBoundary, names: readonly string[]): Promise<ResolvedPath | undefined> =>
  resolveIn(boundary, names).catch((error: unknown) => {
    if (error instanceof DiskUnavailable) throw error;
    return undefined;
  });
