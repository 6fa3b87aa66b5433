import { whenKnown } from '../../../domain/maybe-promise.ts';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { PathStat, PathStats } from '../../../jobs/ports/media-store.ts';
import { rootPath } from '../root.ts';
import { fileIdOf } from './file-facts.ts';
import type { IsOnLocalDisk } from './local-disk.ts';
import { type ResolvedPath, resolveSymlinks, resolveSymlinksSync, type StatCache } from './resolve-symlinks.ts';
import { isInside, type ReservedPaths, type RootBoundary } from './root-boundary.ts';

interface StatRoot {
  readonly boundary: RootBoundary;
  readonly cacheOfTurn: () => TurnCache;
}

/** The stats that submissions in one turn of the event loop share. Most of their paths are in the same folders. */
interface TurnCache {
  readonly byPath: Map<MediaPath, PathStat>;
  readonly byHostPath: StatCache;
}

/**
 * Stats the paths of submissions. Reads a local disk synchronously, because that takes 1–2 µs per path and the thread
 * pool 30 µs or more. Reads a remote disk in the thread pool, because it may hang for minutes and a synchronous call
 * would block all clients and the health check.
 */
export function createPathStats(reserved: ReservedPaths, isOnLocalDisk: IsOnLocalDisk): PathStats['statPaths'] {
  const known = new Map<string, StatRoot>();
  const add = (root: string): StatRoot => {
    const statRoot = { boundary: { root, isReserved: reserved(root) }, cacheOfTurn: createTurnCache() };
    known.set(root, statRoot);
    return statRoot;
  };
  return (mediaRoot, paths) => {
    const root = rootPath(mediaRoot);
    const { boundary, cacheOfTurn } = known.get(root) ?? add(root);
    return whenKnown(isOnLocalDisk(root), (isLocal) => {
      if (!isLocal) return statRemote(boundary, paths);
      const cache = cacheOfTurn();
      return paths.map((path) => statLocal(boundary, path, cache));
    });
  };
}

/** Returns a cache that is empty at the start of each turn of the event loop. */
function createTurnCache(): () => TurnCache {
  const cache: TurnCache = { byPath: new Map(), byHostPath: new Map() };
  const clear = (): void => {
    cache.byPath.clear();
    cache.byHostPath.clear();
  };
  return () => {
    if (cache.byPath.size === 0) setImmediate(clear);
    return cache;
  };
}

function statLocal(boundary: RootBoundary, path: MediaPath, { byPath, byHostPath }: TurnCache): PathStat {
  const known = byPath.get(path);
  if (known !== undefined) return known;
  let stat = UNREADABLE;
  try {
    stat = toPathStat(boundary, resolveSymlinksSync(boundary.root, path.split('/'), byHostPath));
  } catch {}
  byPath.set(path, stat);
  return stat;
}

const statRemote = (boundary: RootBoundary, paths: readonly MediaPath[]): Promise<readonly PathStat[]> =>
  Promise.all(
    paths.map((path) =>
      resolveSymlinks(boundary.root, path.split('/'))
        .then((resolved) => toPathStat(boundary, resolved))
        .catch(() => UNREADABLE),
    ),
  );

/** The result for a path that cannot be read. The job reports the error in full. */
const UNREADABLE: PathStat = { kind: 'missing' };

function toPathStat(boundary: RootBoundary, resolved: ResolvedPath): PathStat {
  if (resolved.kind === 'loop') return { kind: 'special' };
  if (resolved.kind === 'missing')
    return { kind: isInside(boundary, resolved.real, resolved.rest) ? 'missing' : 'outside' };
  const { real, stats } = resolved;
  if (!isInside(boundary, real)) return { kind: 'outside' };
  // Not `fingerprintOf`: whether inode numbers are stable is a question for the first job, and the id has the number.
  if (stats.isFile()) return { kind: 'file', fileId: fileIdOf(stats), fingerprint: `${stats.size}:${stats.mtimeNs}` };
  return { kind: stats.isDirectory() ? 'directory' : 'special' };
}
