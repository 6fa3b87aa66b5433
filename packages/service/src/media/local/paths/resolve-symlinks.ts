import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ignoreErrno } from '@telecine/contract/domain/errno.ts';
import type { MaybePromise } from '@telecine/contract/domain/maybe-promise.ts';
import { lstatIfExists } from '../../errno-codes.ts';
import type { RootBoundary } from './root-boundary.ts';

/** The result of following all symlinks in a path. */
export type ResolvedPath =
  | { readonly kind: 'found'; readonly real: string; readonly stats: BigIntStats }
  /** `rest`: the missing names below the folder `real`. `belowFile`: `real` is a file, so nothing can be below it. */
  | { readonly kind: 'missing'; readonly real: string; readonly rest: readonly string[]; readonly belowFile: boolean }
  /** The path has more symlinks than the kernel follows: no process can open it. */
  | { readonly kind: 'loop' };

type DiskQuery = { readonly get: 'stats' | 'link'; readonly path: string };
/**
 * The answer to a query. `stats`: the stats, or undefined if the file is missing. `link`: the target of the symlink, or
 * undefined if it is no longer a symlink.
 */
type DiskAnswer = BigIntStats | string | undefined;

/** The kernel follows at most this many symlinks in a path; see path_resolution(7). */
const MAX_LINKS = 40;

/**
 * Follows the symlinks in a path below `root`, which itself must not contain symlinks. The generator yields queries,
 * and the caller answers them, synchronously or later.
 */
function* resolver(root: string, segments: readonly string[]): Generator<DiskQuery, ResolvedPath, DiskAnswer> {
  // Reject the path of an object (`s3://…`), which must never be used as the path of a folder on a disk.
  if (segments[1] === '' && segments[0]?.endsWith(':') === true)
    throw new Error('The path of an object, such as s3://bucket/key, is not a path on the disk.');
  let real = root;
  let rest = segments;
  let next = 0;
  let links = 0;
  let stats: BigIntStats | undefined;
  while (next < rest.length) {
    const segment = rest[next++] ?? '';
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      real = dirname(real);
      stats = undefined;
      continue;
    }
    const path = real === '/' ? `/${segment}` : `${real}/${segment}`;
    const found = yield { get: 'stats', path };
    if (typeof found !== 'object') return { kind: 'missing', real, rest: rest.slice(next - 1), belowFile: false };
    if (found.isSymbolicLink()) {
      if (++links > MAX_LINKS) return { kind: 'loop' };
      const text = yield { get: 'link', path };
      if (typeof text !== 'string') {
        next -= 1;
        continue;
      }
      if (text.startsWith('/')) real = '/';
      rest = [...text.split('/'), ...rest.slice(next)];
      next = 0;
      stats = undefined;
    } else {
      real = path;
      stats = found;
      if (!found.isDirectory() && next < rest.length)
        return { kind: 'missing', real, rest: rest.slice(next), belowFile: true };
    }
  }
  if (stats !== undefined) return { kind: 'found', real, stats };
  const end = yield { get: 'stats', path: real };
  return typeof end === 'object'
    ? { kind: 'found', real, stats: end }
    : { kind: 'missing', real: dirname(real), rest: [], belowFile: false };
}

/** The stats for each path. null: the path does not exist. */
export type StatCache = Map<string, BigIntStats | null>;

function cachedStats(path: string, cache: StatCache): BigIntStats | undefined {
  const cached = cache.get(path);
  if (cached !== undefined) return cached ?? undefined;
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  cache.set(path, stats ?? null);
  return stats;
}

function linkTarget(path: string, cache: StatCache): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    cache.delete(path);
    return ignoreNoLink(error);
  }
}

/**
 * Follows symlinks in a media root: local disks are read synchronously, and others with a limit of time. Throws file system errors, and
 * UNAVAILABLE if a disk does not reply.
 */
export const resolveIn = async (boundary: RootBoundary, segments: readonly string[]): Promise<ResolvedPath> =>
  resolveCached(boundary, segments, new Map());

/** Like `resolveIn`. Returns no promise if all disks are local. `cache`: used until a disk is waited for. */
export function resolveCached(
  { root, disks }: RootBoundary,
  segments: readonly string[],
  cache: StatCache,
): MaybePromise<ResolvedPath> {
  let fresh = cache;
  return resolveBy(root, segments, (query) => {
    if (disks.isLocal(query.path)) return askNow(query, fresh);
    fresh = new Map();
    return disks.call(query.path, () => askLater(query));
  });
}

/** Follows symlinks by the answers of `ask`, for paths that can lead to several disks. Returns no promise if no answer is one. */
function resolveBy(
  root: string,
  segments: readonly string[],
  ask: (query: DiskQuery) => MaybePromise<DiskAnswer>,
): MaybePromise<ResolvedPath> {
  const steps = resolver(root, segments);
  const goOn = (first: IteratorResult<DiskQuery, ResolvedPath>): MaybePromise<ResolvedPath> => {
    let step = first;
    while (step.done !== true) {
      const answer = ask(step.value);
      if (answer instanceof Promise) return answer.then((later) => goOn(steps.next(later)));
      step = steps.next(answer);
    }
    return step.value;
  };
  return goOn(steps.next());
}

/** Answers a query synchronously. */
const askNow = ({ get, path }: DiskQuery, cache: StatCache = new Map()): DiskAnswer =>
  get === 'stats' ? cachedStats(path, cache) : linkTarget(path, cache);

/** Answers a query by the thread pool. */
const askLater = ({ get, path }: DiskQuery): Promise<DiskAnswer> =>
  get === 'stats' ? lstatIfExists(path) : readlink(path).catch(ignoreNoLink);

/** EINVAL: the symlink was replaced by a file or a folder. */
const ignoreNoLink = ignoreErrno('ENOENT', 'EINVAL');
