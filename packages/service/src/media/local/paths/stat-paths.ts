import { Problem } from '@telecine/contract/domain/problem.ts';
import type { PathStat, PathStats } from '../../../jobs/ports/media-store.ts';
import { fileVersionOf } from './file-facts.ts';
import { diskReads, type MediaDisks } from './media-disks.ts';
import { type ResolvedPath, resolveIn } from './resolve-symlinks.ts';
import { isInside, type ReservedPaths, type RootBoundary, rootPath } from './root-boundary.ts';

/** Creates a function that stats the paths of a submission. Throws UNAVAILABLE if a remote disk does not reply. */
export const createPathStats =
  (reserved: ReservedPaths, disks: MediaDisks): PathStats['statPaths'] =>
  async (mediaRoot, paths) => {
    const root = rootPath(mediaRoot);
    const isLocal = await disks.isLocal(root);
    const boundary = { root, isReserved: reserved(root), disks: diskReads(disks, root, isLocal) };
    return Promise.all(
      paths.map(async (path) => {
        try {
          return toPathStat(boundary, await resolveIn(boundary, path.split('/')));
        } catch (error) {
          if (error instanceof Problem) throw error;
          return UNREADABLE;
        }
      }),
    );
  };

/** A path that the service cannot read counts as missing here. The job reports the error later. */
const UNREADABLE: PathStat = { kind: 'missing' };

function toPathStat(boundary: RootBoundary, resolved: ResolvedPath): PathStat {
  if (resolved.kind === 'loop') return { kind: 'special' };
  if (resolved.kind === 'missing')
    return { kind: isInside(boundary, resolved.real, resolved.rest) ? 'missing' : 'outside' };
  const { real, stats } = resolved;
  if (!isInside(boundary, real)) return { kind: 'outside' };
  if (stats.isFile()) return { kind: 'file', ...fileVersionOf(stats), sizeBytes: Number(stats.size) };
  return { kind: stats.isDirectory() ? 'directory' : 'special' };
}
