import { randomUUID } from 'node:crypto';
import type { CallQuota } from '@telecine/contract/domain/call-quota.ts';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { type FieldError, invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { isTimeout, NEVER } from '@telecine/contract/domain/steps.ts';
import type { StoredFile, StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { addToBin } from './add-to-bin.ts';
import { endHold, newHold, renewHold } from './bin-holds.ts';
import { parseFilePath, withoutFinalSlashes } from './file-path.ts';
import { fileInUse, requireUnused, usersOf } from './jobs-at-path.ts';
import { countAgain, listCounted, MAX_COUNTED, type MoveDeps, requireFew } from './move-path.ts';
import { distinctBytes, type OtherFile } from './other-counts.ts';
import type { BinEntry, BinStore, FileCheck, FileEntry, FileStore } from './ports.ts';
import { purgeEntry } from './purge-entry.ts';
import { replacedFile } from './replaced-file.ts';

export interface BinDeps extends Omit<MoveDeps, 'store' | 'stored'> {
  readonly store: Pick<FileStore, 'open' | 'listTree' | 'keepInBin' | 'restoreFromBin' | 'purgeFromBin'>;
  readonly stored: Pick<StoredFiles, 'find' | 'below' | 'count' | 'used'>;
  readonly bin: BinStore;
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
  readonly deleted: readonly { readonly path: string; readonly entry?: BinEntry }[];
  readonly failed: readonly { readonly path: string; readonly problem: Problem }[];
}

/**
 * Deletes each path by itself, with `remove` or, if `keep`, into the bin. Throws INVALID_REQUEST if the service keeps
 * nothing. A hang-up of the caller ends the reads of folders, which then stay.
 */
export async function deletePaths(
  deps: BinDeps,
  caller: Caller,
  { paths, keep, check }: Deletion,
  remove: (path: string) => Promise<void>,
): Promise<DeletionResult> {
  if (keep && deps.keepSeconds === 0)
    throw invalidRequest([
      {
        field: '/keep',
        code: 'NOT_KEPT',
        message: 'The operator keeps no deleted files (TELECINE_BIN_SECONDS is 0).',
      },
    ]);
  const parsed = paths.map((path, index) => ({ path, own: ownPath(caller, path, `/paths/${index}`) }));
  // Read the jobs once for all paths. A job that is submitted meanwhile fails, because its input is missing.
  const users = await usersOf(
    deps.unfinished,
    caller,
    parsed.flatMap(({ own }) => (own instanceof Problem ? [] : [own.entryPath])),
  );
  const signal = AbortSignal.any([caller.hangUp ?? NEVER, AbortSignal.timeout(READ_MS)]);
  const deleteOne = async (own: OwnPath | Problem, path: string): Promise<{ readonly entry?: BinEntry }> => {
    if (own instanceof Problem) throw own;
    const job = users.get(own.entryPath);
    if (job !== undefined) throw fileInUse(job, [own.entryPath]);
    if (keep) return { entry: await keepPath(deps, caller, own, signal, check) };
    await remove(path);
    return {};
  };
  const deleted: DeletionResult['deleted'][number][] = [];
  const failed: DeletionResult['failed'][number][] = [];
  for (const { path, own } of parsed)
    try {
      deleted.push({ path, ...(await deleteOne(own, path)) });
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

/** Moves a file or folder to the bin. Its files then no longer count as files, but as an entry of the bin. */
async function keepPath(
  { store, stored, recount, others, bin, keepSeconds }: BinDeps,
  caller: Caller,
  { path, isFolder, entryPath }: OwnPath,
  signal: AbortSignal,
  check?: FileCheck,
): Promise<BinEntry> {
  const { clientId, root } = caller;
  const counted = isFolder ? await listCounted(stored, clientId, path) : await stored.find(clientId, [path]);
  const foreign = await others.find(clientId, entryPath, MAX_COUNTED + 1);
  // The entry lists all of them.
  const listed: BinEntry['counted'] = [
    ...counted.map(({ path: at, bytes }) => ({ path: at.slice(path.length), bytes })),
    ...foreign.map(({ path: at, bytes, clientId: other }) => ({ path: at.slice(path.length), bytes, clientId: other })),
  ];
  requireFew(listed, tooManyToKeep(path));
  if (listed.reduce((sum, file) => sum + Buffer.byteLength(file.path), 0) > MAX_PATH_BYTES)
    throw invalidRequest([pathsTooLongToKeep(path)]);
  const bytes = isFolder
    ? ((await sizeOfFolder(store, root, path, signal)) ?? distinctBytes([...counted, ...foreign]))
    : await sizeOf(store, root, path);
  await requireRoom(stored, caller, { bytes, counted, isFolder });
  const ofOthers = others.change(clientId, foreign);
  const entryId = randomUUID();
  const entry = { entryId, clientId, path: entryPath, bytes, counted: listed };
  const hold = newHold();
  let added: BinEntry | undefined;
  let hasMoved = false;
  using _renewing = renewHold(bin, entryId, hold);
  try {
    await store.keepInBin(
      root,
      path,
      { entryId, isFolder },
      {
        add: async (data) => {
          added = await addToBin({ bin, store }, caller, { ...entry, data }, keepSeconds, hold);
        },
        // Ignore errors: an entry without files is removed when it expires.
        remove: () => bin.remove(entryId).then(noop, noop),
      },
      check,
      caller,
    );
    hasMoved = true;
  } catch (error) {
    // The files may be in the bin all the same. Then the entry stays, so that they can be restored.
    await bin.release(entryId, hold.holder).catch(noop);
    throw error;
  } finally {
    await recount(
      clientId,
      counted.map((file) => file.path),
    );
    await ofOthers.end(hasMoved);
  }
  if (added === undefined) throw new Error('The store must record an entry of the bin.');
  if (await endHold({ bin, store }, root, added, hold)) return added;
  throw noEntry(entryId);
}

const tooManyToKeep = (path: MediaPath): FieldError => ({
  field: '/paths',
  code: 'TOO_MANY',
  message: `Folder ${JSON.stringify(path)} has more than ${MAX_COUNTED} files, the most that the bin keeps of one folder.`,
});

/**
 * The maximum size of the paths of the counted files in one folder, relative to it. The entry stores them as one text, which is written and
 * parsed at once, while other requests wait: about 10 ms. Room for 10,000 files with 200 bytes each.
 */
const MAX_PATH_BYTES = 2_000_000;

const pathsTooLongToKeep = (path: MediaPath): FieldError => ({
  field: '/paths',
  code: 'TOO_LONG',
  message: `The paths of the files in folder ${JSON.stringify(path)} have more than ${MAX_PATH_BYTES} bytes together, the most that the bin keeps of one folder.`,
});

const noop = (): void => {};

/**
 * Throws QUOTA_EXCEEDED if an entry does not fit into the quota of the client: the next sweep would delete it, although the reply promises to
 * keep it. Files that count for the client fit, because they counted before. Those of other clients, or that count for none, need room.
 */
async function requireRoom(
  stored: Pick<StoredFiles, 'used'>,
  { clientId, policy: { storage } }: Caller,
  entry: { readonly bytes: number; readonly counted: readonly StoredFile[]; readonly isFolder: boolean },
): Promise<void> {
  const added = entry.bytes - distinctBytes(entry.counted);
  if (storage === undefined || added <= 0) return;
  const used = await stored.used(clientId);
  if (used + added <= storage) return;
  throw new Problem(
    'QUOTA_EXCEEDED',
    `The quota "storage" allows ${storage} bytes, and ${used} are used. The bin cannot keep ${added} more, which count for other clients or for none.`,
    {
      quota: { name: 'storage', used, limit: storage },
      fix: entry.isFolder
        ? 'Delete its files with "keep": false, or ask the operator for more room.'
        : 'Send "keep": false to delete it permanently.',
    },
  );
}

async function sizeOf(store: Pick<FileStore, 'open'>, root: Caller['root'], path: MediaPath): Promise<number> {
  const file = await store.open(root, path);
  await file.close();
  return file.sizeBytes;
}

/** The most entries of a folder that are read, because a client waits for it. A second on a local disk. */
const MOST_READ = 100_000;

/** How long the folders of one deletion are read at most, for a slow disk. */
const READ_MS = 5000;

/** The size of all files in a folder, also of those that count for nobody, without symlinks: the bin does not get their files. undefined: it has too many, or cannot be read in time. Throws the reason if the client has disconnected. */
async function sizeOfFolder(
  store: Pick<FileStore, 'listTree'>,
  root: Caller['root'],
  path: MediaPath,
  signal: AbortSignal,
): Promise<number | undefined> {
  // Ignore errors: the move to the bin reports them.
  const tree = await store.listTree(root, path, MOST_READ, signal, true).catch(noop);
  if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason;
  return tree?.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

const noEntry = (entryId: string): Problem =>
  new Problem('FILE_NOT_FOUND', `The bin has no entry "${entryId}": it was restored, deleted, or has expired.`, {
    fix: 'List the bin for what is in it.',
  });

const entryInUse = (entryId: string): Problem =>
  new Problem('UNAVAILABLE', `Another request moves the files of entry "${entryId}". Send the request again.`, {
    retryAfterSeconds: 1,
  });

const binAway = (path: string): Problem =>
  new Problem(
    'STORAGE_FAULT',
    `The disk with the files of ${JSON.stringify(path)} is not there or does not reply, so they are deleted when it is back.`,
  );

/** Returns `away` also for a disk that hangs: the entry is given up, so the client cannot send the request again. */
const purgeOrPostpone: typeof purgeEntry = (deps, entry, root) =>
  purgeEntry(deps, entry, root).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'UNAVAILABLE') return 'away';
    throw error;
  });

async function requireEntry(bin: BinStore, clientId: string, entryId: string): Promise<BinEntry> {
  const entry = await bin.find(clientId, entryId);
  if (entry === undefined) throw noEntry(entryId);
  return entry;
}

/** Where to restore an entry. */
export interface Restoration {
  /** The path as the client wrote it. Default: where the file or folder was. */
  readonly to?: string | undefined;
  /** Whether a file may replace the one at the path, which then goes to the bin. */
  readonly replace?: boolean | undefined;
}

/** A restored file or folder, and the entry of the file that it has replaced. */
export interface Restored {
  readonly entry: FileEntry;
  readonly replaced?: BinEntry;
}

/**
 * Moves an entry of the bin back, or to another path. Throws FILE_NOT_FOUND, FILE_EXISTS, FILE_IN_USE, QUOTA_EXCEEDED, and
 * UNAVAILABLE while another request moves or deletes the entry.
 */
export async function restoreEntry(
  deps: BinDeps,
  caller: Caller,
  entryId: string,
  restoration: Restoration = {},
  quota?: CallQuota,
): Promise<Restored> {
  const entry = await requireEntry(deps.bin, caller.clientId, entryId);
  const restore = () => restoreFound(deps, caller, entry, restoration);
  return quota !== undefined && entry.path.endsWith('/') ? quota(caller.clientId, restore) : restore();
}

async function restoreFound(
  deps: BinDeps,
  caller: Caller,
  entry: BinEntry,
  { to: target, replace = false }: Restoration,
): Promise<Restored> {
  const { store, recount, others, bin, unfinished, keepSeconds } = deps;
  const { clientId, root, policy } = caller;
  const { entryId } = entry;
  const isFolder = entry.path.endsWith('/');
  const to = parseFilePath(isFolder ? withoutFinalSlashes(target ?? entry.path) : (target ?? entry.path), root, '/to');
  const requireFree = () => requireUnused(unfinished, caller, [isFolder ? `${to}/` : to]);
  await requireFree();
  const hold = newHold();
  if (!(await bin.hold(entryId, hold))) {
    await requireEntry(bin, clientId, entryId);
    throw entryInUse(entryId);
  }
  using _renewing = renewHold(bin, entryId, hold);
  const restored = entry.counted.map((file) => ({ ...file, path: `${to}${file.path}` }));
  const files = restored.flatMap(({ clientId: other, path, bytes }) => (other === undefined ? [{ path, bytes }] : []));
  const foreign = restored.flatMap(({ clientId: other, ...file }): OtherFile[] =>
    other === undefined ? [] : [{ ...file, clientId: other }],
  );
  const ofOthers = others.change(clientId, foreign, (path) => path);
  const paths = files.map((file) => file.path);
  const own = { version: randomUUID() };
  // Nothing is replaced for good: if the operator keeps no files any more, a path that is taken is an error.
  const replaces = replace && !isFolder && keepSeconds > 0;
  const atTarget = replaces ? await others.find(clientId, to) : [];
  const ofReplaced = others.change(clientId, atTarget);
  const current = replaces ? replacedFile(deps, caller, to, { others: atTarget }) : undefined;
  let hasCounted = false;
  const prepare = async (): Promise<void> => {
    hasCounted = true;
    await countAgain(deps, clientId, files, { ...own, limit: policy.storage });
    await ofOthers.begin();
  };
  try {
    await current?.readCount();
    if (!isFolder) await prepare();
    const found = await store.restoreFromBin(root, entry, to, current?.record, {
      by: caller,
      prepare,
      before: requireFree,
    });
    if (found === undefined) {
      await bin.remove(entryId, hold.holder);
      throw noEntry(entryId);
    }
    const replaced = await current?.end();
    await recount(clientId, paths, { ...own, hasAppeared: true });
    await ofOthers.end(true);
    await ofReplaced.end(true);
    // The restored file does not count, and the replaced one did.
    const hadCounted = replaced?.counted.some(({ clientId: other }) => other === undefined) === true;
    if (paths.length === 0 && hadCounted) await recount(clientId, [to]);
    if (!(await bin.giveUp(entryId, hold.holder))) throw deletedMeanwhile(to);
    await purgeRestored(deps, root, entry);
    return { entry: found, ...(replaced && { replaced }) };
  } catch (error) {
    await current?.abandon();
    if (hasCounted) {
      await recount(clientId, paths, { ...own, hasAppeared: false });
      await ofOthers.end(false);
    }
    await ofReplaced.end(false);
    // Ignore errors: the hold ends by itself.
    await bin.release(entryId, hold.holder).catch(noop);
    throw error;
  }
}

/** Deletes what an object store has copied. Ignores errors: the entry is given up, so the sweep tries again. */
async function purgeRestored({ store, bin }: BinDeps, root: Caller['root'], entry: BinEntry): Promise<void> {
  await store
    .purgeFromBin(root, entry)
    // A bin that is missing now has no files of this entry, because they were just moved.
    .then(() => bin.remove(entry.entryId))
    .then(noop, noop);
}

/** The process was paused until its hold had ended. In an object store, some files may have been deleted before their copy. */
const deletedMeanwhile = (to: MediaPath): Problem =>
  new Problem(
    'STORAGE_FAULT',
    `The entry was deleted while it was restored, so files may be missing in ${JSON.stringify(to)}.`,
  );

/** Deletes an entry of the bin permanently. Returns where it was. Throws FILE_NOT_FOUND, UNAVAILABLE, STORAGE_FAULT. */
export async function deleteEntry(deps: BinDeps, { clientId, root }: Caller, entryId: string): Promise<BinEntry> {
  const entry = await requireEntry(deps.bin, clientId, entryId);
  const outcome = await purgeOrPostpone(deps, entry, root);
  if (outcome === 'away') throw binAway(entry.path);
  if (outcome === 'purged') return entry;
  await requireEntry(deps.bin, clientId, entryId);
  throw entryInUse(entryId);
}

const EMPTIED_AT_ONCE = 100;

/** Deletes all entries of the bin of a client permanently, and then throws the first STORAGE_FAULT, if there was one. */
export async function emptyBin(deps: BinDeps, { clientId, root }: Caller): Promise<void> {
  let failure: Problem | undefined;
  for (;;) {
    const entries = await deps.bin.oldest(clientId, EMPTIED_AT_ONCE);
    for (const entry of entries)
      try {
        if ((await purgeOrPostpone(deps, entry, root)) === 'away') failure ??= binAway(entry.path);
      } catch (error) {
        // The entry is given up, so `oldest` does not list it again.
        if (!(error instanceof Problem)) throw error;
        failure ??= error;
      }
    if (entries.length < EMPTIED_AT_ONCE) break;
  }
  if (failure !== undefined) throw failure;
}

/** Lists the bin of a client: the newest `limit` entries, and the size of all. */
export async function listBin({ bin, keepSeconds }: BinDeps, { clientId }: Caller, limit: number) {
  const [entries, sizeBytes] = await Promise.all([bin.list(clientId, limit), bin.used(clientId)]);
  return { entries, sizeBytes, keepSeconds };
}
