import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type MediaPath, parseMediaPath } from '../../../domain/media-path.ts';
import type { FileEntry, FileStore, FolderQuery } from '../../../files/ports.ts';
import { codeOf } from '../errors.ts';
import { type DirectoryHandle, openDirectory } from '../paths/directory-handle.ts';
import { resolveSymlinks } from '../paths/resolve-symlinks.ts';
import { isInside, type RootBoundary } from '../paths/root-boundary.ts';
import { factsOf } from './file-facts.ts';
import { fileProblem, outside } from './file-problems.ts';

/** Entries that are looked at together. */
const AT_ONCE = 32;

/** One page of a folder, by name. What no client can name, or read, is not shown. */
export async function listFolder(ground: RootBoundary, query: FolderQuery): ReturnType<FileStore['list']> {
  const { folder, nameStart, after, limit } = query;
  try {
    const walked = await resolveSymlinks(ground.root, folder.split('/'));
    if (walked.kind === 'loop') return NOTHING;
    if (!isInside(ground, walked.real, walked.kind === 'missing' ? walked.rest : [])) throw outside();
    if (walked.kind === 'missing' || !walked.stats.isDirectory()) return NOTHING;
    const held = await openDirectory(walked.real);
    try {
      const names = (await readdir(held.at('.')))
        .filter((name) => name.startsWith(nameStart) && (after === undefined || name > after))
        .sort((a, b) => (a < b ? -1 : 1));
      const entries: FileEntry[] = [];
      // One more than asked for tells whether there is a next page.
      for (let i = 0; i < names.length && entries.length <= limit; i += AT_ONCE) {
        const some = names.slice(i, i + AT_ONCE).map((name) => entryAt(ground, held, name, `${folder}${name}`));
        entries.push(...(await Promise.all(some)).flatMap((entry) => entry ?? []));
      }
      return { entries: entries.slice(0, limit), more: entries.length > limit };
    } finally {
      await held.close();
    }
  } catch (error) {
    throw fileProblem(folder, 'listing the folder', error);
  }
}

const NOTHING = { entries: [], more: false } as const;

/** What is behind a name of the folder; a link is followed as long as it stays inside. */
async function entryAt(
  ground: RootBoundary,
  held: DirectoryHandle,
  name: string,
  path: string,
): Promise<FileEntry | undefined> {
  if (!isNameable(path)) return undefined;
  const here = await lstat(held.at(name), { bigint: true }).catch(unseen);
  if (here === undefined) return undefined;
  if (!here.isSymbolicLink()) return isInside(ground, join(held.real, name)) ? entryOf(path, here) : undefined;
  const walked = await resolveSymlinks(ground.root, path.split('/')).catch(unseen);
  return walked?.kind === 'there' && isInside(ground, walked.real) ? entryOf(path, walked.stats) : undefined;
}

function entryOf(path: MediaPath, stats: BigIntStats): FileEntry | undefined {
  if (stats.isDirectory()) return { kind: 'folder', path: `${path}/` };
  return stats.isFile() ? { kind: 'file', ...factsOf(path, stats) } : undefined;
}

/** In a folder that the service may list but not enter, and for a name that went while we looked. */
function unseen(error: unknown): undefined {
  if (codeOf(error) === '') throw error;
}

/** The root is of no matter to a path without a leading slash. */
const isNameable = (text: string): text is MediaPath => parseMediaPath(text, '/') === text;
