/** A file that a person has chosen or dropped. */
export interface ChosenFile {
  readonly file: File;
  /** Its name, with its folders if it is from a folder that was dropped: `trip/day 1/a.mov`. */
  readonly path: string;
}

/** The files of a file dialog. */
export const pickedFiles = (files: Iterable<File>): readonly ChosenFile[] =>
  [...files].map((file) => ({ file, path: file.name }));

/** The files of a drop, and those in folders of it. Call it while the event is handled: later, the browser has none of them. */
export function droppedFiles({ items, files }: DataTransfer): Promise<readonly ChosenFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Scripts can drop files too, which have no entries.
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
  // Each call returns some, and the last one none.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) break;
    // What systems write into folders (`.DS_Store`) was chosen by nobody.
    found.push(...some.filter(({ name }) => !name.startsWith('.')));
  }
  return filesOf(found);
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory;
