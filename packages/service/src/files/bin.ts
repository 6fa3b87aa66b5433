import { randomUUID } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { leaveOut } from '@telecine/contract/domain/edit.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import type { StoredFile } from '@telecine/contract/domain/stored-files.ts';
import { parseFilePath, withoutFinalSlashes } from './file-path.ts';
import { requireUnused } from './jobs-at-path.ts';
import { countAgain, type MoveDeps, requireCountable } from './move-path.ts';
import type { BinEntry, BinStore, FileEntry, FileStore } from './ports.ts';

export interface BinDeps extends Omit<MoveDeps, 'store'> {
  readonly store: Pick<FileStore, 'open' | 'keepInBin' | 'restoreFromBin' | 'purgeFromBin'>;
  readonly bin: BinStore;
  /** How long deleted files are kept. 0: they are not. */
  readonly keepSeconds: number;
}

/** What to delete. Paths are as the client wrote them. */
export interface Deletion {
  readonly paths: readonly string[];
  readonly keep: boolean;
}

/** What a deletion did with each path. */
export interface DeletionResult {
  readonly deleted: readonly { readonly path: string; readonly entry?: BinEntry }[];
  readonly failed: readonly { readonly path: string; readonly problem: Problem }[];
}

/**
 * Deletes each path by itself, with `remove` or, if `keep`, into the bin. Throws INVALID_REQUEST if the service keeps
 * nothing.
 */
export async function deletePaths(
  deps: BinDeps,
  caller: Caller,
  { paths, keep }: Deletion,
  remove: (path: string) => Promise<void>,
): Promise<DeletionResult> {
  if (keep && deps.keepSeconds === 0)
    throw invalidRequest([
      {
        field: '/keep',
        code: 'NOT_KEPT',
        message: 'The operator keeps no deleted files (TELECINE_BIN_SECONDS is 0).',
        fix: leaveOut(),
      },
    ]);
  const deleted: DeletionResult['deleted'][number][] = [];
  const failed: DeletionResult['failed'][number][] = [];
  for (const [index, path] of paths.entries())
    try {
      const { own, isFolder } = ownPath(caller, path, `/paths/${index}`);
      await requireUnused(deps.unfinished, caller, [isFolder ? `${own}/` : own]);
      if (!keep) await remove(path);
      deleted.push({ path, ...(keep && { entry: await keepPath(deps, caller, own, isFolder) }) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      failed.push({ path, problem: error });
    }
  return { deleted, failed };
}

function ownPath({ root }: Caller, path: string, field: string) {
  const isFolder = path.endsWith('/');
  return { isFolder, own: parseFilePath(isFolder ? withoutFinalSlashes(path) : path, root, field) };
}

/** Moves a file or folder to the bin. Its files then no longer count as files, but as an entry of the bin. */
async function keepPath(
  { store, stored, recount, bin, keepSeconds }: BinDeps,
  { clientId, root }: Caller,
  path: MediaPath,
  isFolder: boolean,
): Promise<BinEntry> {
  const counted = isFolder
    ? await requireCountable(stored, clientId, path, '/paths')
    : await stored.find(clientId, [path]);
  const relative = counted.map((file): StoredFile => ({ path: file.path.slice(path.length), bytes: file.bytes }));
  const entry = {
    entryId: randomUUID(),
    clientId,
    path: isFolder ? `${path}/` : path,
    bytes: isFolder ? bytesOf(counted) : await sizeOf(store, root, path),
    counted: relative,
  };
  await bin.add(entry, keepSeconds);
  try {
    await store.keepInBin(root, path, entry.entryId, isFolder);
  } catch (error) {
    // After other errors, the files may be in the bin all the same. Then the entry must stay, or nothing deletes them.
    if (error instanceof Problem && NOTHING_MOVED.has(error.code)) await bin.remove(entry.entryId);
    throw error;
  } finally {
    await recount(
      clientId,
      counted.map((file) => file.path),
    );
  }
  return requireEntry(bin, clientId, entry.entryId);
}

/** Codes of problems with which certainly nothing is in the bin. */
const NOTHING_MOVED: ReadonlySet<ProblemCode> = new Set(['FILE_NOT_FOUND', 'NOT_A_FILE', 'INVALID_REQUEST']);

const bytesOf = (files: readonly StoredFile[]): number => files.reduce((sum, { bytes }) => sum + bytes, 0);

async function sizeOf(store: Pick<FileStore, 'open'>, root: Caller['root'], path: MediaPath): Promise<number> {
  const file = await store.open(root, path);
  await file.close();
  return file.sizeBytes;
}

const noEntry = (entryId: string): Problem =>
  new Problem('FILE_NOT_FOUND', `The bin has no entry "${entryId}": it was restored, deleted, or has expired.`, {
    fix: 'List the bin for what is in it.',
  });

async function requireEntry(bin: BinStore, clientId: string, entryId: string): Promise<BinEntry> {
  const entry = await bin.find(clientId, entryId);
  if (entry === undefined) throw noEntry(entryId);
  return entry;
}

/** Moves an entry of the bin back, or to `target`. Throws FILE_NOT_FOUND, FILE_EXISTS, FILE_IN_USE, QUOTA_EXCEEDED. */
export async function restoreEntry(
  deps: BinDeps,
  caller: Caller,
  entryId: string,
  target: string | undefined,
): Promise<FileEntry> {
  const { store, recount, bin, unfinished } = deps;
  const { clientId, root, policy } = caller;
  const { path, counted } = await requireEntry(bin, clientId, entryId);
  const isFolder = path.endsWith('/');
  const to = parseFilePath(isFolder ? withoutFinalSlashes(target ?? path) : (target ?? path), root, '/to');
  await requireUnused(unfinished, caller, [isFolder ? `${to}/` : to]);
  const files = counted.map((file) => ({ path: `${to}${file.path}`, bytes: file.bytes }));
  const paths = files.map((file) => file.path);
  let own: { readonly version: string } | undefined;
  try {
    own = await countAgain(deps, clientId, files, policy.storage);
    const facts = await store.restoreFromBin(root, entryId, to, isFolder);
    await recount(clientId, paths, { ...own, hasAppeared: true });
    await bin.remove(entryId);
    return facts === undefined ? { kind: 'folder', path: `${to}/` } : { kind: 'file', ...facts };
  } catch (error) {
    await recount(clientId, paths, own && { ...own, hasAppeared: false });
    // The files never came to the bin, or have left it.
    if (error instanceof Problem && error.code === 'FILE_NOT_FOUND') await bin.remove(entryId);
    throw error;
  }
}

/** Deletes an entry of the bin permanently. Returns where it was. Throws FILE_NOT_FOUND, STORAGE_FAULT. */
export async function deleteEntry(deps: BinDeps, caller: Caller, entryId: string): Promise<BinEntry> {
  const entry = await requireEntry(deps.bin, caller.clientId, entryId);
  await deps.store.purgeFromBin(caller.root, entryId);
  await deps.bin.remove(entryId);
  return entry;
}

const EMPTIED_AT_ONCE = 100;

/** Deletes all entries of the bin of a client permanently. Throws STORAGE_FAULT. */
export async function emptyBin({ store, bin }: BinDeps, { clientId, root }: Caller): Promise<void> {
  for (;;) {
    const entries = await bin.oldest(clientId, EMPTIED_AT_ONCE);
    for (const { entryId } of entries) {
      await store.purgeFromBin(root, entryId);
      await bin.remove(entryId);
    }
    if (entries.length < EMPTIED_AT_ONCE) return;
  }
}

/** Lists the bin of a client: the newest `limit` entries, and the size of all. */
export async function listBin({ bin, keepSeconds }: BinDeps, { clientId }: Caller, limit: number) {
  const [entries, sizeBytes] = await Promise.all([bin.list(clientId, limit), bin.used(clientId)]);
  return { entries, sizeBytes, keepSeconds };
}
