/** A file that the user has chosen or dropped. */
export interface ChosenFile {
  readonly file: File;
  /** The name of the file. With folders, if a folder was dropped: `trip/day 1/a.mov`. */
  readonly path: string;
}

export const pickedFiles = (files: Iterable<File>): readonly ChosenFile[] =>
  [...files].map((file) => ({ file, path: file.name }));

/** The dropped files, and the files in dropped folders. Call this in the event handler, because the browser forgets the files after it. */
export function droppedFiles({ items, files }: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // If a script drops files, they have no entries.
  return entries.length === 0 ? Promise.resolve(pickedFiles(files)) : filesOf(entries);
}

const filesOf = async (entries: readonly FileSystemEntry[]): Promise<readonly ChosenFile[]> =>
  (await Promise.all(entries.map(filesBelow))).flat();

async function filesBelow(entry: FileSystemEntry): Promise<readonly ChosenFile[]> {
  if (isFile(entry))
    return [
      { file: await new Promise((done, fail) => entry.file(done, fail)), path: entry.fullPath.replace(/^\/+/, '') },
    ];
  if (!isFolder(entry)) return [];
  const reader = entry.createReader();
  const found: FileSystemEntry[] = [];
  // Each call returns some of the entries. An empty list means the end.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) break;
    // Skip hidden files such as `.DS_Store`, which the operating system writes.
    found.push(...some.filter(({ name }) => !name.startsWith('.')));
  }
  return filesOf(found);
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
