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

/** What simple unpackers on Windows take for a folder or a drive, and marks with which a name shows another extension. */
const UNSAFE = /\\|(?<=^[A-Za-z]):|\p{Bidi_Control}/gu;

/** Gives files of a zip names that each unpacker keeps in its folder. Names that become equal get a number. */
export function withSafeNames(files: readonly NamedFile[]): readonly NamedFile[] {
  const taken = new Set(files.map(({ name }) => name));
  let number = 1;
  return files.map((file) => {
    const safe = file.name.replace(UNSAFE, '_');
    if (safe === file.name) return file;
    let name = safe;
    // Never count from 1 again: thousands of names can become the same one.
    for (; taken.has(name); number += 1) name = safe.replace(/(\.[^./]*)?$/, `-${number + 1}$1`);
    taken.add(name);
    return { ...file, name };
  });
}
