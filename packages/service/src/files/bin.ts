import { type CallQuota, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import {
  noBinEntry,
  StorageExceeded,
  type StoredFiles,
  type WithRoom,
} from '@telecine/contract/domain/stored-files.ts';
import { type ParsedEntry, parseEntryPath, parseFilePath, withoutFinalSlashes } from './file-path.ts';
import { fileInUse, requireUnused, usersOf } from './jobs-at-path.ts';
import type { BinEntry, FileCheck, FileEntry, FileStore, UnfinishedJobs } from './ports.ts';

export interface BinDeps {
  readonly store: Pick<FileStore, 'remove' | 'binOf' | 'listBin' | 'pathInBin' | 'restoreFromBin' | 'purgeFromBin'>;
  readonly stored: Pick<StoredFiles, 'add'>;
  readonly unfinished: UnfinishedJobs;
  /** How long deleted files are kept. 0: they are not. */
  readonly keepSeconds: number;
}

/** How to delete files and folders. */
interface Deleting {
  /** Whether to move them into the bin. Otherwise, a folder must be empty. */
  readonly keep: boolean;
  /** Called with each file right before it is deleted, to reject another content. */
  readonly check?: FileCheck | undefined;
}

/** What to delete. Paths are as the client wrote them. */
export interface Deletion extends Deleting {
  readonly paths: readonly string[];
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

/**
 * Deletes a file or a folder. A conversion that reads the file goes on. Resolves to its entry in the bin. Throws the errors of
 * `FileStore.remove`, and those of `check`, also if there is no file.
 */
export async function removeEntry(
  { store, stored }: Pick<BinDeps, 'store' | 'stored'>,
  caller: Caller,
  { path, isFolder }: Pick<ParsedEntry, 'path' | 'isFolder'>,
  { keep, check }: Deleting,
): Promise<BinEntry | undefined> {
  let bytes = 0;
  const counted: FileCheck = (current) => {
    check?.(current);
    bytes = current?.sizeBytes ?? 0;
  };
  // A folder has no content to which a precondition could apply.
  if (isFolder) check?.(undefined);
  const options = { isFolder, keep, check: isFolder ? undefined : counted, by: caller };
  const entry = await store.remove(caller.root, path, options).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'FILE_NOT_FOUND') check?.(undefined);
    throw error;
  });
  await stored.add(caller.clientId, { files: -(entry?.bytes ?? bytes), bin: entry?.bytes ?? 0 });
  return entry;
}

/** Resolves to the problem if `run` throws one. */
const orProblem = async <T>(run: () => Promise<T> | T): Promise<T | Problem> => {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
};

/** Deletes each path by itself. Throws INVALID_REQUEST if it should be kept and the service keeps nothing. */
export async function deletePaths(deps: BinDeps, caller: Caller, { paths, ...how }: Deletion): Promise<DeletionResult> {
  if (how.keep && (await keepSecondsOf(deps, caller)) === 0)
    throw invalidRequest([
      {
        field: '/keep',
        code: 'NOT_KEPT',
        message: 'Deleted files are not kept: TELECINE_BIN_SECONDS is 0, or they are in a bucket without versions.',
      },
    ]);
  const parse = (text: string, index: number) => orProblem(() => parseEntryPath(text, caller.root, `/paths/${index}`));
  const parsed = await Promise.all(paths.map(parse));
  // Read the jobs once for all paths. A job that is submitted meanwhile fails, because its input is missing.
  const valid = parsed.flatMap((one) => (one instanceof Problem ? [] : [one.entryPath]));
  const users = await usersOf(deps.unfinished, caller, valid);
  const deleted: DeletionResult['deleted'][number][] = [];
  const failed: DeletionResult['failed'][number][] = [];
  for (const [index, path] of paths.entries()) {
    const result = await orProblem(async () => {
      const one = parsed[index];
      if (one === undefined || one instanceof Problem) throw one;
      const job = users.get(one.entryPath);
      if (job !== undefined) throw fileInUse(job, [one.entryPath]);
      return removeEntry(deps, caller, one, how);
    });
    if (result instanceof Problem) failed.push({ path, problem: result });
    else deleted.push({ path, entry: result });
  }
  return { deleted, failed };
}

/** Moves an entry of the bin back, or to `target`, a path as the client wrote it. Throws FILE_NOT_FOUND, FILE_EXISTS, FILE_IN_USE. */
export async function restoreEntry(
  { store, stored, unfinished }: BinDeps,
  caller: Caller,
  entryId: string,
  target: string | undefined,
  quota: CallQuota,
): Promise<FileEntry> {
  const { clientId, root } = caller;
  const was = await store.pathInBin(root, entryId);
  if (was === undefined) throw noBinEntry(entryId);
  const isFolder = was.endsWith('/');
  const to = parseFilePath(isFolder ? withoutFinalSlashes(target ?? was) : (target ?? was), root, '/to');
  await requireUnused(unfinished, caller, [isFolder ? `${to}/` : to]);
  const restore = () => store.restoreFromBin(root, entryId, to, caller);
  const { entry, bytes } = await (isFolder ? quota(clientId, restore) : restore());
  await stored.add(clientId, { files: bytes, bin: -bytes });
  return entry;
}

/** A client, or one of several that share a media root. */
interface Owner {
  readonly clientId: string;
  readonly root: MediaRoot;
}

type PurgeDeps = Pick<BinDeps, 'stored'> & { readonly store: Pick<FileStore, 'listBin' | 'purgeFromBin'> };

/** Deletes an entry of a bin permanently, and counts that. Returns how many bytes it has freed. undefined: there is no such entry any more. */
async function purge({ store, stored }: PurgeDeps, { clientId, root }: Owner, entryId: string) {
  const bytes = await store.purgeFromBin(root, entryId);
  if (bytes !== undefined) await stored.add(clientId, { bin: -bytes });
  return bytes;
}

/** Deletes an entry of the bin permanently. Returns where it was. Throws FILE_NOT_FOUND, STORAGE_FAULT. */
export async function deleteEntry(deps: BinDeps, caller: Caller, entryId: string): Promise<string> {
  const path = await deps.store.pathInBin(caller.root, entryId);
  if (path === undefined || (await purge(deps, caller, entryId)) === undefined) throw noBinEntry(entryId);
  return path;
}

/** Deletes all entries of the bin of a client permanently. If some cannot be deleted, deletes the others, and then throws. */
export async function emptyBin(deps: BinDeps, caller: Caller): Promise<void> {
  const failures: unknown[] = [];
  for (const { entryId } of await deps.store.listBin(caller.root))
    await purge(deps, caller, entryId).catch((error: unknown) => failures.push(error));
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

/** How many clients can make room at the same time. The requests of each do so one after the other, so that none takes the room of another one. */
const MAKING_ROOM = 8;

/** See `WithRoom`. */
export function withRoom(deps: PurgeDeps): WithRoom {
  const turns = fairSlots({ slots: MAKING_ROOM, perClient: 1 });
  return async (owner, reserve) => {
    const first = await reserve().catch(ifBinHelps);
    if (!(first instanceof StorageExceeded)) return first;
    return turns(owner.clientId, NEVER, async () => {
      const entries = [...(await deps.store.listBin(owner.root))];
      for (;;) {
        const reserved = await reserve().catch(ifBinHelps);
        if (!(reserved instanceof StorageExceeded)) return reserved;
        if (entries.length === 0) throw reserved;
        for (let missing = reserved.missingBytes; missing > 0 && entries.length > 0; ) {
          // An entry that cannot be deleted frees nothing, and keeps no others.
          const freed = await orProblem(() => purge(deps, owner, entries.pop()?.entryId ?? ''));
          missing -= typeof freed === 'number' ? freed : 0;
        }
      }
    });
  };
}

/** Returns the error if deletions in the bin help. */
function ifBinHelps(error: unknown): StorageExceeded {
  if (error instanceof StorageExceeded && error.binHelps) return error;
  throw error;
}

interface SweepDeps extends PurgeDeps {
  readonly store: Pick<FileStore, 'listBin' | 'purgeFromBin' | 'binOf' | 'freeBytes'>;
  readonly keepSeconds: number;
  /** The clients, with different media roots. */
  readonly owners: () => Promise<readonly Owner[]>;
  /** While the disk of a bin has less free space, its entries are deleted early. */
  readonly minFreeBytes: number;
  readonly onFailure: (failure: { readonly clientId: string; readonly err: unknown }) => void;
}

/** Deletes what has been in the bins for too long, and, while a disk is nearly full, the oldest entries of its bins. Call this every minute. */
export async function sweepBins({ keepSeconds, owners, minFreeBytes, onFailure, ...deps }: SweepDeps): Promise<void> {
  const { store } = deps;
  const expired = Date.now() - keepSeconds * 1000;
  for (const owner of await owners()) {
    const failed = (err: unknown) => onFailure({ clientId: owner.clientId, err });
    const sweep = async (): Promise<void> => {
      if ((await store.binOf(owner.root)) !== 'folder') return;
      for (const { entryId, deletedAt } of (await store.listBin(owner.root)).toReversed()) {
        if (deletedAt.getTime() > expired && (await store.freeBytes(owner.root)) >= minFreeBytes) return;
        await purge(deps, owner, entryId).catch(failed);
      }
    };
    await sweep().catch(failed);
  }
}
