import { type BigIntStats, lstatSync, readlinkSync } from 'node:fs';
import { lstat, readlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Where a path leads once every symlink on the way is followed, links of links included. */
export type ResolvedPath =
  | { readonly kind: 'there'; readonly real: string; readonly stats: BigIntStats }
  /**
   * `rest` are the names missing below the folder `real`; where `real` is a file, a folder was meant to be
   * where it stands.
   */
  | { readonly kind: 'missing'; readonly real: string; readonly rest: readonly string[]; readonly belowFile: boolean }
  /** More links than the kernel follows: nobody can open it. */
  | { readonly kind: 'loop' };

type Question = { readonly ask: 'stats' | 'link'; readonly path: string };
type Answer = BigIntStats | string | undefined;

/** The kernel's own limit (path_resolution(7)). */
const MAX_LINKS = 40;

/** `root` is taken as it is; links are followed below it. Asks the disk through whoever drives it. */
function* walk(root: string, segments: readonly string[]): Generator<Question, ResolvedPath, Answer> {
  let real = root;
  let rest = segments;
  let at = 0;
  let links = 0;
  let stats: BigIntStats | undefined;
  while (at < rest.length) {
    const segment = rest[at++] ?? '';
    if (segment === '' || segment === '.') continue;
    if (segment === '..') {
      real = dirname(real);
      stats = undefined;
      continue;
    }
    const path = real === '/' ? `/${segment}` : `${real}/${segment}`;
    const answer = yield { ask: 'stats', path };
    if (typeof answer !== 'object') return { kind: 'missing', real, rest: rest.slice(at - 1), belowFile: false };
    if (answer.isSymbolicLink()) {
      if (++links > MAX_LINKS) return { kind: 'loop' };
      const text = String(yield { ask: 'link', path });
      if (text.startsWith('/')) real = '/';
      rest = [...text.split('/'), ...rest.slice(at)];
      at = 0;
      stats = undefined;
    } else {
      real = path;
      stats = answer;
      if (!answer.isDirectory() && at < rest.length)
        return { kind: 'missing', real, rest: rest.slice(at), belowFile: true };
    }
  }
  if (stats !== undefined) return { kind: 'there', real, stats };
  const end = yield { ask: 'stats', path: real };
  return typeof end === 'object'
    ? { kind: 'there', real, stats: end }
    : { kind: 'missing', real: dirname(real), rest: [], belowFile: false };
}

const BIGINT = { bigint: true } as const;
const QUIET = { bigint: true, throwIfNoEntry: false } as const;

/** What a disk said of paths, by path; null: nothing is there. */
export type StatCache = Map<string, BigIntStats | null>;

/** Blocks until the disk answers: for disks that answer in microseconds. Throws what the disk throws. */
export function resolveSymlinksSync(root: string, segments: readonly string[], seen: StatCache): ResolvedPath {
  const walker = walk(root, segments);
  let step = walker.next();
  while (step.done !== true) {
    const { ask, path } = step.value;
    step = walker.next(ask === 'stats' ? statsOf(path, seen) : readlinkSync(path));
  }
  return step.value;
}

function statsOf(path: string, seen: StatCache): BigIntStats | undefined {
  const known = seen.get(path);
  if (known !== undefined) return known ?? undefined;
  const stats = lstatSync(path, QUIET);
  seen.set(path, stats ?? null);
  return stats;
}

/** The same without blocking the process. */
export async function resolveSymlinks(root: string, segments: readonly string[]): Promise<ResolvedPath> {
  const walker = walk(root, segments);
  let step = walker.next();
  while (step.done !== true) {
    const { ask, path } = step.value;
    step = walker.next(ask === 'stats' ? await lstat(path, BIGINT).catch(missing) : await readlink(path));
  }
  return step.value;
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
