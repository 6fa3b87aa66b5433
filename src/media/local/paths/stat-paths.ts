import { statfs } from 'node:fs/promises';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { PathStat, PathStats } from '../../../jobs/ports.ts';
import { rootPath } from '../root.ts';
import { fileIdOf } from './file-id.ts';
import { type ResolvedPath, resolveSymlinks, resolveSymlinksSync, type StatCache } from './resolve-symlinks.ts';
import { isInside, type ReservedPaths, type RootBoundary } from './root-boundary.ts';

/**
 * File systems whose answers come over a network or from another process (`f_type` of statfs(2)): NFS, SMB 1–3,
 * FUSE, 9p, Ceph, AFS, Lustre, GFS2, OCFS2, Coda, VirtualBox.
 */
const REMOTE: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x0bd00bd0, 0x01161970,
  0x7461636f, 0x73757245, 0x786f4256,
]);

/** Whether `type` is one of them; read unsigned, as some systems hand it out signed. */
const isRemote = (type: number): boolean => REMOTE.has(type >>> 0);

/**
 * A local disk is asked synchronously: the answer takes 1–2 µs where the thread pool's takes 30 µs and more,
 * and a look runs for every path of every submission. A remote disk may hang for minutes, and would stop every
 * client and the health check with it: it is asked from the thread pool. The kind of disk is asked once a root,
 * so a remote disk mounted below a local root counts as local.
 */
export function createPathStats(reserved: ReservedPaths): PathStats['statPaths'] {
  const known = new Map<string, Place>();
  const seen = seenThisTurn();
  const placeOf = (root: string, isLocal: boolean): Place => ({
    ground: { root, isReserved: reserved(root) },
    isLocal,
  });

  const ask = async (root: string): Promise<Place> => {
    const place = placeOf(root, await statfs(root).then(({ type }) => !isRemote(type)));
    known.set(root, place);
    return place;
  };
  const look = ({ ground, isLocal }: Place, paths: readonly MediaPath[]) =>
    isLocal ? lookNow(ground, paths, seen()) : lookApart(ground, paths);

  return (mediaRoot, paths) => {
    const root = rootPath(mediaRoot);
    const place = known.get(root);
    if (place !== undefined) return look(place, paths);
    return ask(root)
      .catch(() => placeOf(root, false))
      .then((asked) => look(asked, paths));
  };
}

/** A media root, and whether its disk is asked synchronously. */
interface Place {
  readonly ground: RootBoundary;
  readonly isLocal: boolean;
}

/** Submissions that are read in one turn of the event loop share what the disk said: they mostly share folders too. */
function seenThisTurn(): () => StatCache {
  const seen: StatCache = new Map();
  return () => {
    if (seen.size === 0) setImmediate(() => seen.clear());
    return seen;
  };
}

function lookNow(ground: RootBoundary, paths: readonly MediaPath[], seen: StatCache): readonly PathStat[] {
  return paths.map((path) => {
    try {
      return judge(ground, resolveSymlinksSync(ground.root, path.split('/'), seen));
    } catch {
      return UNKNOWN;
    }
  });
}

const lookApart = (ground: RootBoundary, paths: readonly MediaPath[]): Promise<readonly PathStat[]> =>
  Promise.all(
    paths.map((path) =>
      resolveSymlinks(ground.root, path.split('/'))
        .then((walked) => judge(ground, walked))
        .catch(() => UNKNOWN),
    ),
  );

/** Unreadable, or a fault of the disk: the job itself will meet it, and say so with more than a look can. */
const UNKNOWN: PathStat = { kind: 'missing' };

function judge(ground: RootBoundary, walked: ResolvedPath): PathStat {
  if (walked.kind === 'loop') return { kind: 'special' };
  if (walked.kind === 'missing') return { kind: isInside(ground, walked.real, walked.rest) ? 'missing' : 'outside' };
  const { real, stats } = walked;
  if (!isInside(ground, real)) return { kind: 'outside' };
  if (stats.isFile()) return { kind: 'file', fileId: fileIdOf(stats) };
  return { kind: stats.isDirectory() ? 'directory' : 'special' };
}
