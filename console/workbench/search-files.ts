import type { TelecineClient } from '@telecine/client';
import { fileSearchWords } from '../../packages/contract/src/domain/file-search.ts';
import type { FileEntry } from '../files/file-list.ts';
import { isOffered } from './searched-text.ts';
import { bestFirst, typedFolder } from './similar-files.ts';

/** The number of files at which a search ends. */
const ENOUGH = 200;

/** The maximum number of pages that a search reads. For each, the service looks at `FILE_SEARCH.names` names. */
export const MAX_PAGES = 10;

export interface FoundFiles {
  /** In the order in which they were found, so that none moves when more are found. The best of each page comes first. */
  readonly entries: readonly FileEntry[];
  /** What was not read: more files that have the words, or files whose names the service has not looked at. undefined: nothing. */
  readonly left: 'found' | 'names' | undefined;
}

interface Search {
  readonly prefix: string;
  readonly q: string;
  readonly cursor?: string;
}

/** The searches for a text, the first of which counts that finds something: of the folder that the text begins with, and of all folders. */
function searchesFor(text: string): readonly Search[] {
  const folder = typedFolder(text);
  const name = text.slice(folder.length);
  const all = { prefix: '', q: text };
  return /[^/]/.test(folder) && fileSearchWords(name).length > 0 ? [{ prefix: folder, q: name }, all] : [all];
}

/** Searches for a text. Yields what was found so far after each page. */
export async function* searchFiles(
  listFiles: TelecineClient['listFiles'],
  text: string,
  signal: AbortSignal,
): AsyncGenerator<FoundFiles, void> {
  const [first, ...others] = searchesFor(text);
  let entries: readonly FileEntry[] = [];
  // A file can move from one page to the next.
  const known = new Set<string>();
  for (let [search, pages] = [first, 1]; search !== undefined; pages += 1) {
    const { prefix, ...page }: Search = search;
    const { files, nextCursor } = await listFiles(prefix, { ...page, limit: ENOUGH, signal });
    const offered = files.filter(({ path }) => isOffered(path, text) && !known.has(path));
    for (const { path } of offered) known.add(path);
    entries = [...entries, ...bestFirst(offered, text)];
    if (nextCursor !== undefined) search = { prefix, ...page, cursor: nextCursor };
    else search = entries.length === 0 ? others.shift() : undefined;
    const isEnough = entries.length >= ENOUGH;
    yield { entries, left: search === undefined ? undefined : isEnough ? 'found' : 'names' };
    if (isEnough || pages === MAX_PAGES) return;
  }
}
