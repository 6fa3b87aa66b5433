import { readdir } from 'node:fs/promises';
import { type MediaPath, parseMediaPath } from '../../domain/media-path.ts';
import type { FileEntry, FileStore, FolderQuery } from '../../files/ports.ts';
import { codeOf } from '../errors.ts';
import { type Ground, isInside } from '../ground.ts';
import { walkAsync } from '../walk.ts';
import { factsOf } from './facts.ts';
import { fileFault, outside } from './faults.ts';

/** Entries that are looked at together. */
const AT_ONCE = 32;

/** One page of a folder, by name. What no client can name, or read, is not shown. */
export async function listFolder(ground: Ground, query: FolderQuery): ReturnType<FileStore['list']> {
  const { folder, nameStart, after, limit } = query;
  try {
    const walked = await walkAsync(ground.root, folder.split('/'));
    if (walked.kind === 'loop') return NOTHING;
    if (!isInside(ground, walked.real, walked.kind === 'missing' ? walked.rest : [])) throw outside();
    if (walked.kind === 'missing' || !walked.stats.isDirectory()) return NOTHING;
    const names = (await readdir(walked.real))
      .filter((name) => name.startsWith(nameStart) && (after === undefined || name > after))
      .sort((a, b) => (a < b ? -1 : 1));
    const entries: FileEntry[] = [];
    // One more than asked for tells whether there is a next page.
    for (let i = 0; i < names.length && entries.length <= limit; i += AT_ONCE) {
      const some = names.slice(i, i + AT_ONCE).map((name) => entryAt(ground, `${folder}${name}`));
      entries.push(...(await Promise.all(some)).flatMap((entry) => entry ?? []));
    }
    return { entries: entries.slice(0, limit), more: entries.length > limit };
  } catch (error) {
    throw fileFault(folder, 'listing the folder', error);
  }
}

const NOTHING = { entries: [], more: false } as const;

async function entryAt(ground: Ground, text: string): Promise<FileEntry | undefined> {
  if (!isNameable(text)) return undefined;
  const walked = await walkAsync(ground.root, text.split('/')).catch((error) => {
    // In a folder that the service may list but not enter, and for a name that went while we looked.
    if (codeOf(error) === '') throw error;
    return undefined;
  });
  if (walked?.kind !== 'there' || !isInside(ground, walked.real)) return undefined;
  if (walked.stats.isDirectory()) return { kind: 'folder', path: `${text}/` };
  return walked.stats.isFile() ? { kind: 'file', ...factsOf(text, walked.stats) } : undefined;
}

/** The root is of no matter to a path without a leading slash. */
const isNameable = (text: string): text is MediaPath => parseMediaPath(text, '/') === text;
