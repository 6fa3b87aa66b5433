import { extension, folderOf, isMediaExtension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { isTransferName, isWatchedFolderName } from '@telecine/contract/domain/transfer-names.ts';
import type { Watch, WatchedFile, WatchSettings } from '@telecine/contract/domain/watch.ts';
import { IMAGES, wildcard } from '@telecine/contract/domain/wildcard.ts';
import {
  identityOf,
  type LedgerChanges,
  type MadeFile,
  type NewWatchedFile,
  newFile,
  readyAgain,
} from '../store/ledger-row.ts';
import type { FoundFile } from './watched-folders.ts';

type Rules = Pick<Watch, 'watchId' | 'changed' | 'existing' | 'firstScanAt'>;

/** `seenAt` of a row is at most this old while its file exists, so that few polls write rows. */
const SEEN_MS = 24 * 3_600_000;

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
    if ((!subfolders && end > folder.length) || isTransferName(name)) return false;
    const lower = name.toLowerCase();
    if (!(included?.some((matches) => matches(lower)) ?? isMediaName(name))) return false;
    return !excluded.some((matches) => matches(lower)) && isVisible(path.slice(folder.length, end));
  };
}

const isMediaName = (name: string): boolean => isMediaExtension(extension(name as MediaPath)) || IMAGES.test(name);

const isVisible = (folders: string): boolean => folders === '' || folders.split('/').every(isWatchedFolderName);

/** Many programs create a file some time before they write to it, so an empty file counts as whole only after ten minutes. */
const EMPTY_SETTLE_MS = 600_000;

/** A file that is whole if it still has this version at a time of the monotonic clock. No time is one of the file: that is by another clock. */
export interface Settling {
  readonly version: string;
  readonly dueMs: number;
}

/**
 * How long a file must have the same version until it is whole, in milliseconds. An object is whole at once, but some programs that show a bucket as
 * a disk create it empty.
 */
export function settleMsOf(
  { settleSeconds }: Pick<Watch, 'settleSeconds'>,
  { bytes }: FoundFile,
  isBucket: boolean,
): number {
  const ms = isBucket ? 0 : settleSeconds * 1000;
  return bytes === 0 ? Math.max(ms, EMPTY_SETTLE_MS) : ms;
}

/** How a file differs from its row in the ledger, whether or not the file is complete yet. */
export type Comparison =
  /** Nothing, or only `seenAt` is written. */
  | { readonly kind: 'known'; readonly isStale: boolean }
  /** A new file, or new content. */
  | { readonly kind: 'new'; readonly row?: WatchedFile; readonly replaces: boolean }
  /** New content, which counts once the job for the old content has ended: look again later. */
  | { readonly kind: 'later'; readonly row: WatchedFile };

/** Compares a file with its row. */
export function compareFile(
  { changed }: Pick<Rules, 'changed'>,
  file: FoundFile,
  row: WatchedFile | undefined,
  at: string,
): Comparison {
  if (row === undefined) return { kind: 'new', replaces: false };
  const known: Comparison = { kind: 'known', isStale: Date.parse(at) - Date.parse(row.seenAt) > SEEN_MS };
  const isGone = row.state === 'SKIPPED' && row.skipReason === 'GONE';
  if (row.version === file.version) return isGone ? { kind: 'new', row, replaces: false } : known;
  const wantsNew = changed === 'convert';
  switch (row.state) {
    case 'SUBMITTED':
      // The job may read half of a file that is still being copied.
      return { kind: 'later', row };
    case 'CONVERTED':
      // After the source was moved or deleted, another file with its name is a new file.
      if (row.source === 'DONE') return { kind: 'new', row, replaces: false };
      if (wantsNew) return { kind: 'new', row, replaces: true };
      return isOtherFile(file, row) ? { kind: 'new', row, replaces: false } : known;
    case 'SKIPPED':
      return wantsNew || isGone || isOtherFile(file, row) ? { kind: 'new', row, replaces: false } : known;
    default:
      // It is not converted yet, so its present content is what counts.
      return { kind: 'new', row, replaces: row.replaces === true };
  }
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
  file: Pick<FoundFile, 'path' | 'bytes' | 'fileKey' | 'version'>,
  made: readonly MadeFile[],
): readonly string[] {
  const { path, bytes } = file;
  const folder = folderOf(path);
  const identity = identityOf(file);
  const own = made.filter((one) => {
    if (identity !== undefined && one.fingerprint === identity) return true;
    if (one.path !== path) return one.path === folder;
    return one.isPending || one.bytes === undefined || one.bytes === bytes;
  });
  return [...new Set(own.flatMap(({ origins }) => origins))].toSorted();
}

/** The row of a file that is whole. */
export function newRow(
  { watchId, existing, firstScanAt }: Rules,
  file: FoundFile,
  made: readonly MadeFile[],
): NewWatchedFile {
  const origins = originsOf(file, made);
  const { path, version, bytes, fileKey } = file;
  const facts = {
    ...{ path, version, bytes },
    ...(fileKey !== undefined && { fileKey }),
    ...(origins.length > 0 && { origins }),
  };
  if (origins.includes(watchId)) return { ...facts, state: 'SKIPPED', skipReason: 'OWN_OUTPUT' };
  if (existing === 'ignore' && firstScanAt === undefined) return { ...facts, state: 'SKIPPED', skipReason: 'EXISTED' };
  return { ...facts, state: 'READY' };
}

/** A new file with the content and the key of this row: a file that was renamed, if the path of the row has none. */
export const isRenameOf = ({ path, version, bytes, fileKey }: FoundFile, row: WatchedFile): boolean =>
  fileKey !== undefined &&
  row.fileKey === fileKey &&
  row.version === version &&
  row.bytes === bytes &&
  row.path !== path;

/** A whole file, with its row or, if it was renamed, the row of its earlier path. */
export interface WholeFile {
  readonly file: FoundFile;
  readonly row?: WatchedFile | undefined;
  /** Whether the outputs of an earlier version are replaced. */
  readonly replaces: boolean;
}

/** What whole files change in the ledger. `made`: what jobs of watches have made there. */
export function changesOf(
  rules: Rules,
  files: readonly WholeFile[],
  made: readonly MadeFile[],
  at: string,
): Pick<LedgerChanges, 'added' | 'changed'> {
  const added: NewWatchedFile[] = [];
  const changed: LedgerChanges['changed'][number][] = [];
  for (const { file, row, replaces } of files) {
    const renewed = newRow(rules, file, made);
    if (row === undefined) added.push(renewed);
    else if (row.path !== file.path) {
      // A job that was submitted by the old name and has not found its file is to be repeated by the new name.
      const isReady = row.failure?.code === 'INPUT_NOT_FOUND' || row.skipReason === 'GONE';
      changed.push({ row, change: { path: file.path, seenAt: at, ...(isReady && readyAgain(at)) } });
    } else {
      const { path: _, ...values } = newFile(renewed, at);
      const none = { jobId: null, fileKey: null, origins: null, dueAt: null };
      changed.push({ row, change: { ...readyAgain(at), ...none, ...values, ...(replaces && { replaces }) } });
    }
  }
  return { added, changed };
}
