import { type CallQuota, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { StorageExceeded, type StoredFiles, type WithRoom } from '@telecine/contract/domain/stored-files.ts';
import { parseFilePath, withoutFinalSlashes } from './file-path.ts';
import { fileInUse, requireUnused, usersOf } from './jobs-at-path.ts';
import type { BinEntry, FileCheck, FileEntry, FileStore, UnfinishedJobs } from './ports.ts';

export interface BinDeps {
  readonly store: Pick<FileStore, 'binOf' | 'keepInBin' | 'listBin' | 'pathInBin' | 'restoreFromBin' | 'purgeFromBin'>;
  readonly stored: Pick<StoredFiles, 'add'>;
  readonly unfinished: UnfinishedJobs;
  /** How long deleted files are kept. 0: they are not. */
  readonly keepSeconds: number;
}

/** What to delete. Paths are as the client wrote them. */
export interface Deletion {
  readonly paths: readonly string[];
  readonly keep: boolean;
  /** Called with each file right before it is deleted, to reject another content. Not for folders. */
  readonly check?: FileCheck | undefined;
}

/** What a deletion did with each path. */
export interface DeletionResult {
  readonly deleted: readonly { readonly path: string; readonly entry?: BinEntry | undefined }[];
  readonly failed: readonly { readonly path: string; readonly problem: Problem }[];
}

/** Returns how long the bin of a client keeps files. 0: it keeps none. undefined: as long as the bucket keeps versions. */
export async function keepSecondsOf(
  { store, keepSeconds }: Pick<BinDeps, 'store' | 'keepSeconds'>,
  { root }: Pick<Caller, 'root'>,
): Promise<number | undefined> {
  const bin = await store.binOf(root);
  return bin === 'versions' ? undefined : bin === 'none' ? 0 : keepSeconds;
}

/** Deletes each path by itself, with `remove` or, if `keep`, into the bin. Throws INVALID_REQUEST if the service keeps nothing. */
export async function deletePaths(
  deps: BinDeps,
  caller: Caller,
  { paths, keep, check }: Deletion,
  remove: (path: string) => Promise<void>,
): Promise<DeletionResult> {
  if (keep && (await keepSecondsOf(deps, caller)) === 0)
    throw invalidRequest([
      {
        field: '/keep',
        code: 'NOT_KEPT',
        message: 'Deleted files are not kept: TELECINE_BIN_SECONDS is 0, or they are in a bucket without versions.',
      },
    ]);
  const parsed = paths.map((path, index) => ({ path, own: ownPath(caller, path, `/paths/${index}`) }));
  // Read the jobs once for all paths. A job that is submitted meanwhile fails, because its input is missing.
  const users = await usersOf(
    deps.unfinished,
    caller,
    parsed.flatMap(({ own }) => (own instanceof Problem ? [] : [own.entryPath])),
  );
  const deleteOne = async (own: OwnPath | Problem, path: string): Promise<BinEntry | undefined> => {
    if (own instanceof Problem) throw own;
    const job = users.get(own.entryPath);
    if (job !== undefined) throw fileInUse(job, [own.entryPath]);
    if (!keep) return void (await remove(path));
    const entry = await deps.store.keepInBin(caller.root, own.path, { isFolder: own.isFolder, check, by: caller });
    const bytes = entry?.bytes ?? 0;
    await deps.stored.add(caller.clientId, { files: -bytes, bin: bytes });
    return entry;
  };
  const deleted: DeletionResult['deleted'][number][] = [];
  const failed: DeletionResult['failed'][number][] = [];
  for (const { path, own } of parsed)
    try {
      deleted.push({ path, entry: await deleteOne(own, path) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      failed.push({ path, problem: error });
    }
  return { deleted, failed };
}

interface OwnPath {
  /** The path of the file or folder. */
  readonly path: MediaPath;
  readonly isFolder: boolean;
  /** The path, with a slash at the end of a folder. */
  readonly entryPath: string;
}

/** Parses the path of a file, or of a folder if it ends with a slash. Returns the problem of a path that is invalid. */
function ownPath({ root }: Caller, text: string, field: string): OwnPath | Problem {
  const isFolder = text.endsWith('/');
  try {
    const path = parseFilePath(isFolder ? withoutFinalSlashes(text) : text, root, field);
    return { path, isFolder, entryPath: isFolder ? `${path}/` : path };
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** Where to restore an entry. */
export interface Restoration {
  /** The path as the client wrote it. Default: where the file or folder was. */
  readonly to?: string | undefined;
  /** Whether a file may replace the one at the path, which then goes to the bin. */
  readonly replace?: boolean | undefined;
}

/** Moves an entry of the bin back, or to another path. Throws FILE_NOT_FOUND, FILE_EXISTS, FILE_IN_USE. */
export async function restoreEntry(
  { store, stored, unfinished, keepSeconds }: BinDeps,
  caller: Caller,
  entryId: string,
  { to: target, replace = false }: Restoration = {},
  quota?: CallQuota,
): Promise<{ readonly entry: FileEntry; readonly replaced?: BinEntry | undefined }> {
  const { clientId, root } = caller;
  const was = await store.pathInBin(root, entryId);
  if (was === undefined) throw noBinEntry(entryId);
  const isFolder = was.endsWith('/');
  const to = parseFilePath(isFolder ? withoutFinalSlashes(target ?? was) : (target ?? was), root, '/to');
  await requireUnused(unfinished, caller, [isFolder ? `${to}/` : to]);
  // Nothing is replaced for good: if the operator keeps no files any more, a path that is taken is an error.
  const options = { replace: replace && keepSeconds > 0, by: caller };
  const restore = () => store.restoreFromBin(root, entryId, to, options);
  const { entry, replaced, bytes } = await (quota !== undefined && isFolder ? quota(clientId, restore) : restore());
  const kept = replaced?.bytes ?? 0;
  await stored.add(clientId, { files: bytes - kept, bin: kept - bytes });
  return { entry, replaced };
}

export const noBinEntry = (entryId: string): Problem =>
  new Problem('FILE_NOT_FOUND', `The bin has no entry "${entryId}": it was restored, deleted, or has expired.`, {
    fix: 'List the bin for what is in it.',
  });

/** Deletes an entry of the bin permanently. Returns where it was. Throws FILE_NOT_FOUND, STORAGE_FAULT. */
export async function deleteEntry({ store, stored }: BinDeps, { clientId, root }: Caller, entryId: string) {
  const path = await store.pathInBin(root, entryId);
  if (path === undefined) throw noBinEntry(entryId);
  await purge({ store, stored }, { clientId, root }, entryId);
  return path;
}

/** Deletes an entry of a bin permanently, and counts that. Returns how many bytes it has freed. */
async function purge(
  { store, stored }: Pick<BinDeps, 'stored'> & { readonly store: Pick<FileStore, 'purgeFromBin'> },
  { clientId, root }: Pick<Caller, 'clientId' | 'root'>,
  entryId: string,
): Promise<number> {
  const bytes = await store.purgeFromBin(root, entryId);
  await stored.add(clientId, { bin: -bytes });
  return bytes;
}

/** Deletes all entries of the bin of a client permanently. If some cannot be deleted, deletes the others, and then throws. */
export async function emptyBin(deps: BinDeps, caller: Caller): Promise<void> {
  const failures: unknown[] = [];
  for (const { entryId } of await deps.store.listBin(caller.root))
    try {
      await purge(deps, caller, entryId);
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw failures[0];
}

/** Lists the bin of a client: the newest `limit` entries, and the size of all. */
export async function listBin(deps: BinDeps, { root }: Caller, limit: number) {
  const items = await deps.store.listBin(root);
  const entries: BinEntry[] = [];
  for (const item of items.slice(0, limit)) {
    const path = await deps.store.pathInBin(root, item.entryId);
    if (path !== undefined) entries.push({ ...item, path });
  }
  const sizeBytes = items.reduce((sum, { bytes }) => sum + bytes, 0);
  return { entries, sizeBytes, keepSeconds: await keepSecondsOf(deps, { root }) };
}

type PurgeDeps = Pick<BinDeps, 'stored'> & { readonly store: Pick<FileStore, 'listBin' | 'purgeFromBin'> };

/** How many clients can make room at the same time. The requests of each do so one after the other, so that none takes the room of another one. */
const MAKING_ROOM = 8;

/** See `WithRoom`. */
export function withRoom({ store, stored }: PurgeDeps): WithRoom {
  const turns = fairSlots({ slots: MAKING_ROOM, perClient: 1 });
  return async ({ clientId, root }, reserve) => {
    const lackingOf = (error: unknown): number => {
      if (!(error instanceof StorageExceeded) || error.lackingBytes === Number.POSITIVE_INFINITY) throw error;
      return error.lackingBytes;
    };
    const attempt = () =>
      reserve().then(
        (value) => ({ value }),
        (error: unknown) => ({ error, lacking: lackingOf(error) }),
      );
    const first = await attempt();
    if ('value' in first) return first.value;
    return turns(clientId, NEVER, async () => {
      for (;;) {
        const next = await attempt();
        if ('value' in next) return next.value;
        let freed = 0;
        for (const { entryId } of (await store.listBin(root)).toReversed()) {
          if (freed >= next.lacking) break;
          // An entry that cannot be deleted frees nothing, and keeps no others.
          const bytes = await store.purgeFromBin(root, entryId).catch((error: unknown) => {
            if (error instanceof Problem) return 0;
            throw error;
          });
          await stored.add(clientId, { bin: -bytes });
          freed += bytes;
        }
        if (freed === 0) throw next.error;
      }
    });
  };
}

interface SweepDeps extends PurgeDeps {
  readonly store: Pick<FileStore, 'listBin' | 'purgeFromBin' | 'binOf'>;
  readonly keepSeconds: number;
  /** The clients, with different media roots. */
  readonly owners: () => Promise<readonly { readonly clientId: string; readonly root: MediaRoot }[]>;
  /** Returns how many bytes must be freed until the disk of the media is not nearly full. 0 or less: it is not. */
  readonly lacking: () => Promise<number>;
  readonly onFailure: (failure: { readonly clientId: string; readonly err: unknown }) => void;
}

/** Deletes what has been in the bins for too long, and, while the disk is nearly full, the oldest entries of all bins. Call this every minute. */
export async function sweepBins({ store, stored, keepSeconds, owners, lacking, onFailure }: SweepDeps): Promise<void> {
  const all: { readonly clientId: string; readonly root: MediaRoot; readonly entryId: string; readonly at: number }[] =
    [];
  for (const { clientId, root } of await owners())
    try {
      if ((await store.binOf(root)) !== 'folder') continue;
      for (const { entryId, deletedAt } of await store.listBin(root))
        all.push({ clientId, root, entryId, at: deletedAt.getTime() });
    } catch (err) {
      onFailure({ clientId, err });
    }
  const expired = Date.now() - keepSeconds * 1000;
  for (const { clientId, root, entryId, at } of all.sort((a, b) => a.at - b.at))
    try {
      if (at > expired && (await lacking()) <= 0) return;
      await purge({ store, stored }, { clientId, root }, entryId);
    } catch (err) {
      onFailure({ clientId, err });
    }
}
