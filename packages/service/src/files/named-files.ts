import { folderOf } from '@telecine/contract/domain/media-path.ts';
import type { OpenFile } from './ports.ts';

/** A file with the name under which others get it: in a zip, or by a shared link. */
export interface NamedFile {
  /** Unique among the files that are sent together. Without the folders that all of them share. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Opens the file. Throws OUTPUT_GONE if it was deleted or replaced. */
  open(): Promise<OpenFile>;
}

/** Files that are sent together. */
export interface NamedFiles {
  /** A short name of all: the name of the first file without its extension. */
  readonly title: string;
  readonly files: readonly NamedFile[];
}

/** The folder that all paths share: `hls/` for `hls/a.ts` and `hls/sub/b.ts`. It is '' if there is none. */
export function sharedFolder(paths: readonly string[]): string {
  let shared = folderOf(paths[0] ?? '');
  // Do not split the paths: 10,000 of them can have 1,500 folders each.
  for (const path of paths) while (!path.startsWith(shared)) shared = folderOf(shared.slice(0, -1));
  return shared;
}

/** The title of files: `film` for `movies/film.mp4`. */
export function titleOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.replace(/(?<=.)\.[^.]{1,10}$/, '');
}
