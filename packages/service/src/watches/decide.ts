import { extension, folderOf, isMediaExtension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { isTransferName, isWatchedFolderName } from '@telecine/contract/domain/transfer-names.ts';
import type { Watch, WatchedFile, WatchSettings } from '@telecine/contract/domain/watch.ts';
import { IMAGES, wildcard } from '@telecine/contract/domain/wildcard.ts';
import {
  type FileChange,
  identityOf,
  inState,
  type MadeFile,
  type NewWatchedFile,
  newFile,
  readyAgain,
} from '../store/ledger-row.ts';
import type { FoundFile } from './watched-folders.ts';

/** The most bytes of a path. A longer one does not fit into an index of a database, and one such file would keep others out of the ledger. */
const MOST_BYTES = 2600;

/**
 * Returns a function that tells by its path whether a watch takes a file. Upper and lower case of names are equal, because cameras write `.MOV`.
 * Hidden files, and names of transfers in progress, never count.
 */
export function fileMatcher({
  folder,
  subfolders,
  patterns,
  exclude = [],
}: Pick<WatchSettings, 'folder' | 'subfolders' | 'patterns' | 'exclude'>): (path: string) => boolean {
  const testsOf = (some: readonly string[]) => some.map((pattern) => wildcard(pattern.toLowerCase()));
  const [included, excluded] = [patterns && testsOf(patterns), testsOf(exclude)];
  return (path) => {
    const end = path.lastIndexOf('/') + 1;
    const name = path.slice(end);
    if ((!subfolders && end > folder.length) || isTransferName(name) || Buffer.byteLength(path) > MOST_BYTES)
      return false;
    const lower = name.toLowerCase();
    if (!(included?.some((matches) => matches(lower)) ?? isMediaName(name))) return false;
    return !excluded.some((matches) => matches(lower)) && isVisible(path.slice(folder.length, end));
  };
}

const isMediaName = (name: string): boolean => isMediaExtension(extension(name as MediaPath)) || IMAGES.test(name);

const isVisible = (folders: string): boolean => folders === '' || folders.split('/').every(isWatchedFolderName);

/** Many programs create a file some time before they write to it, so an empty file counts as whole only after ten minutes. */
const EMPTY_SETTLE_MS = 600_000;

/** Whether the files that a poll finds existed before the watch, and are skipped. */
const skipsExisting = ({ existing, firstScanAt }: Pick<Watch, 'existing' | 'firstScanAt'>): boolean =>
  existing === 'ignore' && firstScanAt === undefined;

/**
 * How long a file must have the same version until it is whole, in milliseconds. An object is whole at once, but some programs that show a bucket as
 * a disk create it empty. A file that is skipped may still be incomplete.
 */
export function settleMsOf(
  watch: Pick<Watch, 'settleSeconds' | 'existing' | 'firstScanAt'>,
  { bytes }: FoundFile,
  isBucket: boolean,
): number {
  if (skipsExisting(watch)) return 0;
  const ms = isBucket ? 0 : watch.settleSeconds * 1000;
  return bytes === 0 ? Math.max(ms, EMPTY_SETTLE_MS) : ms;
}

/**
 * Compares a file with its row. `known`: nothing is to be done. `later`: other content, which counts once the job for the old content has ended.
 * Otherwise: a new file or new content, whether or not it is whole. `replaces`: whether it replaces the outputs of the old content.
 */
export function compareFile(
  { changed }: Pick<Watch, 'changed'>,
  file: FoundFile,
  row: WatchedFile | undefined,
): 'known' | 'later' | { readonly replaces: boolean } {
  if (row === undefined) return { replaces: false };
  const isGone = row.skipReason === 'GONE';
  if (row.version === file.version) return isGone ? { replaces: false } : 'known';
  if (row.state === 'SUBMITTED') return 'later';
  // A file that is not converted yet: its present content is what counts.
  if (row.state !== 'CONVERTED' && row.state !== 'SKIPPED') return { replaces: row.replaces === true };
  // After the source was moved or deleted, another file with its name is a new file.
  if (changed === 'convert') return { replaces: row.state === 'CONVERTED' && row.source !== 'DONE' };
  return row.source === 'DONE' || isGone || isOtherFile(file, row) ? { replaces: false } : 'known';
}

/**
 * Whether a file is another file with the same name as that of a row, such as the first clip of the next memory card. A program that saves by
 * a rename also makes such a file; its job then fails visibly, because the outputs exist. In an object store, where the key is that of the
 * content, nothing tells a new file from a changed one.
 */
const isOtherFile = ({ fileKey, bytes, version }: FoundFile, row: WatchedFile): boolean =>
  fileKey !== undefined &&
  fileKey !== version &&
  row.fileKey !== undefined &&
  fileKey !== row.fileKey &&
  bytes !== row.bytes;

/** The watches through which a file came to be. Its identity tells also after a rename, and behind a symlink to a folder. */
export function originsOf(
  file: Pick<WatchedFile, 'path' | 'bytes' | 'fileKey' | 'version'>,
  made: readonly MadeFile[],
): readonly string[] {
  const { path, bytes } = file;
  const identity = identityOf(file);
  const own = made.filter((one) => {
    if (identity !== undefined && one.fingerprint === identity) return true;
    if (one.path !== path) return one.path === folderOf(path);
    return one.isPending || one.bytes === undefined || one.bytes === bytes;
  });
  return [...new Set(own.flatMap(({ origins }) => origins))].toSorted();
}

/** The row of a file that is whole. `isOwn`: a job of the watch has made it. */
export function newRow(watch: Pick<Watch, 'existing' | 'firstScanAt'>, file: FoundFile, isOwn = false): NewWatchedFile {
  if (isOwn) return { ...file, state: 'SKIPPED', skipReason: 'OWN_OUTPUT' };
  if (skipsExisting(watch)) return { ...file, state: 'SKIPPED', skipReason: 'EXISTED' };
  return { ...file, state: 'READY' };
}

/** A new file with the content and the key of this row: a file that was renamed, if the path of the row has none. */
export const isRenameOf = ({ path, version, bytes, fileKey }: FoundFile, row: WatchedFile): boolean =>
  fileKey !== undefined &&
  row.fileKey === fileKey &&
  row.version === version &&
  row.bytes === bytes &&
  row.path !== path;

/** What a renamed file changes in its row. A job that was submitted by the old name and has not found its file is repeated by the new one. */
export function renamed({ failure, skipReason }: WatchedFile, { path }: FoundFile, at: string): FileChange {
  const isReady = failure?.code === 'INPUT_NOT_FOUND' || skipReason === 'GONE';
  return { path, seenAt: at, ...(isReady && readyAgain(at)) };
}

/** What new content changes in the row of its path: nothing of the old content is left. */
export function renewed(file: NewWatchedFile, replaces: boolean, at: string): FileChange {
  const { path: _, ...values } = newFile(file, at);
  return { ...inState(file.state, at), jobId: null, fileKey: null, ...values, ...(replaces && { replaces }) };
}
