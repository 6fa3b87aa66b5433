/**
 * The ends of names that programs give to files while they write them: browsers (`.crdownload`, `.part`, `.opdownload`, `.download`),
 * SFTP clients (`.filepart`), torrent and download programs (`.!ut`, `.!qb`, `.aria2`, `.dtapart`), sync programs (`.!sync`, `.syncpart`),
 * upload servers (`.partial`, `.upload`, `.uploading`), editors and converters (`.tmp`, `.temp`, `~`).
 */
const ENDS: ReadonlySet<string> = new Set([
  ...['part', 'partial', 'partially', 'filepart', 'syncpart', 'dtapart', 'incomplete', 'unfinished', 'unconfirmed'],
  ...['tmp', 'temp', 'crdownload', 'opdownload', 'download', 'upload', 'uploading', 'copying', 'aria2'],
  ...['!ut', '!qb', '!sync', 'bc!', 'fb!'],
]);

/**
 * Returns whether a file with this name, which has no folder, is being transferred: it gets another name when it is complete. All hidden
 * names count: those of rsync (`.film.mov.Xy12ab`), of our own uploads, and of most programs that synchronize folders.
 */
export function isTransferName(name: string): boolean {
  if (name.startsWith('.') || name.endsWith('~') || name.startsWith('~')) return true;
  const dot = name.lastIndexOf('.');
  return dot > 0 && ENDS.has(name.slice(dot + 1).toLowerCase());
}

/** Returns whether a watch looks below a folder with this name. Hidden folders are those of programs: bins, thumbnails, partial transfers. */
export const isWatchedFolderName = (name: string): boolean => !name.startsWith('.');
