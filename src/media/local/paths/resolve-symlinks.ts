import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '../errors.ts';

/** Where a path leads once all its symlinks are followed, links of links included. */
export type ResolvedPath =
  | { readonly kind: 'found'; readonly real: string; readonly stats: BigIntStats }
  /** `rest`: the missing names below the folder `real`. `belowFile`: `real` is a file where a folder is needed. */
  | { readonly kind: 'missing'; readonly real: string; readonly rest: readonly string[]; readonly belowFile: boolean }
  /** More links than the kernel follows: no process can open the path. */
  | { readonly kind: 'loop' };

/** What the resolver asks of the disk; the answer is the stats (undefined: missing) or the text of the link. */
type Query = { readonly get: 'stats' | 'link'; readonly path: string };
type DiskAnswer = BigIntStats | string | undefined;

/** The kernel's own limit (path_resolution(7)). */
const MAX_LINKS = 40;

/** Takes `root` as it is and follows the links below it. The caller answers each query, at once or later. */
function* resolver(root: string, segments: readonly string[]): Generator<Query, ResolvedPath, DiskAnswer> {
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
      const text = String(yield { get: 'link', path });
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

const BIGINT = { bigint: true } as const;
const NO_THROW = { bigint: true, throwIfNoEntry: false } as const;

/** Stats by path; null: the path does not exist. */
export type StatCache = Map<string, BigIntStats | null>;

/** Blocks the event loop: for disks that answer in microseconds. Throws file system errors. */
export function resolveSymlinksSync(root: string, segments: readonly string[], cache: StatCache): ResolvedPath {
  const steps = resolver(root, segments);
  let step = steps.next();
  while (step.done !== true) {
    const { get, path } = step.value;
    step = steps.next(get === 'stats' ? cachedStats(path, cache) : readlinkSync(path));
  }
  return step.value;
}

function cachedStats(path: string, cache: StatCache): BigIntStats | undefined {
  const cached = cache.get(path);
  if (cached !== undefined) return cached ?? undefined;
  const stats = lstatSync(path, NO_THROW);
  cache.set(path, stats ?? null);
  return stats;
}

/** The same without blocking the event loop. */
export async function resolveSymlinks(root: string, segments: readonly string[]): Promise<ResolvedPath> {
  const steps = resolver(root, segments);
  let step = steps.next();
  while (step.done !== true) {
    const { get, path } = step.value;
    step = steps.next(get === 'stats' ? await lstat(path, BIGINT).catch(undefinedIfMissing) : await readlink(path));
  }
  return step.value;
}

function undefinedIfMissing(error: unknown): undefined {
  if (errnoOf(error) !== 'ENOENT') throw error;
}
