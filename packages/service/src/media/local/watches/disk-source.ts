import type { BigIntStats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import {
  FolderUnreachable,
  type FoundNow,
  type ScanMemory,
  type ScanOptions,
  type WatchedFolder,
  type WatchSource,
} from '../../../watches/ports.ts';
import { DENIED, MISSING } from '../../errno-codes.ts';
import { ScanClock } from '../../scan-pages.ts';
import { DirectoryMoved } from '../../scratch/directory-handle.ts';
import { fingerprintOf } from '../paths/file-facts.ts';
import { diskAt, mediaDisks } from '../paths/media-disks.ts';
import { isLocalPath, isLocalTree, recentMounts } from '../paths/mounts.ts';
import type { RemoteCalls } from '../paths/remote-calls.ts';
import { askLater, type ResolvedPath, resolveBy } from '../paths/resolve-symlinks.ts';
import { type AllowedPaths, isInside, reservedPaths, rootPath } from '../paths/root-boundary.ts';
import { type AccessDeps, localAccess, OF_ONE, remoteAccess, toFound } from './disk-access.ts';
import { type DiskCalls, type DiskTurns, diskCalls } from './disk-calls.ts';
import { DiskMemory } from './disk-memory.ts';
import { runScan } from './disk-scan.ts';
import { type ListenerBudget, listenerBudget, listenToFolders } from './folder-listener.ts';

interface DiskSourceOptions {
  /** The media root of the service, as an absolute path without symlinks. */
  readonly mediaRoot: string;
  /** See `LocalMediaOptions.reserved`. */
  readonly reserved: readonly string[];
  /** Default: the types of the mounts decide. Tests use this to treat a local disk as a remote one. */
  readonly isLocal?: (folder: string) => boolean;
  /** How long a remote disk may take for a call. */
  readonly timeoutMs?: number;
  /** See `MediaDisks.calls`. Default: its own. */
  readonly calls?: RemoteCalls;
  readonly budget?: ListenerBudget;
  /** The monotonic clock, in milliseconds. */
  readonly now?: () => number;
}

/** Finds files of watched folders in media roots on local disks and mounted network disks. */
export function diskSource(options: DiskSourceOptions): WatchSource {
  const { budget = listenerBudget(), timeoutMs, now = () => performance.now() } = options;
  const { calls: limited = mediaDisks({ ...(timeoutMs !== undefined && { timeoutMs }) }).calls } = options;
  const reserved = reservedPaths(options.reserved, options.mediaRoot);
  const turns: DiskTurns = new Map();
  const callsFor = (signal: AbortSignal): DiskCalls => diskCalls(turns, limited, signal, timeoutMs);
  const isLocal = options.isLocal ?? ((path) => isLocalPath(recentMounts(), path));
  const isOnLocalDisks = options.isLocal ?? ((folder) => isLocalTree(recentMounts(), folder));
  /** Its paths may be symlinks to another disk, so these calls use the thread pool also on local disks. */
  const openBoundary = async (calls: DiskCalls, root: MediaRoot): Promise<AllowedPaths> => {
    const path = rootPath(root);
    const real = await calls.run(diskAt(path), () => realpath(path));
    return { root: real, isReserved: reserved(real) };
  };

  async function* scan(root: MediaRoot, where: WatchedFolder, scanOptions: ScanOptions) {
    const { kind, again = [], waitForTurn, signal } = scanOptions;
    const memory = memoryOf(scanOptions.memory);
    const clock = new ScanClock(signal);
    using calls = callsFor(signal);
    try {
      signal.throwIfAborted();
      const boundary = await openBoundary(calls, root);
      const top = await findFolder(calls, boundary, where.folder);
      const isLocalTop = isOnLocalDisks(top);
      memory.storage = isLocalTop ? 'local' : 'remote';
      memory.place = await placeAt(calls, top);
      clock.isMeasured = isLocalTop;
      clock.pause();
      if (isLocalTop) await waitForTurn?.();
      clock.resume();
      const deps: AccessDeps = { ...{ root: boundary.root, top, calls, isLocal }, diskOf: diskAt };
      const access = isLocalTop ? localAccess(deps, () => clock.isSlow) : remoteAccess(deps);
      yield* runScan({ ...{ boundary, access, top, where, memory, kind, again, clock, now } });
      if (isLocalTop) memory.follower?.follow(top, memory.folders);
    } catch (error) {
      signal.throwIfAborted();
      throw toUnreachable(error);
    } finally {
      memory.cost = clock.end();
    }
  }

  return {
    isMetered: false,
    newMemory: () => new DiskMemory(),
    scan,
    listen: (_root, where, memory, onHint) => listenToFolders(budget, where, memoryOf(memory), onHint),
    find: async (root, path, signal = NEVER): Promise<FoundNow | undefined> => {
      using calls = callsFor(signal);
      try {
        const boundary = await openBoundary(calls, root);
        const resolved = await resolveOn(calls, boundary, path);
        const isFile = resolved.kind === 'found' && isInside(boundary, resolved.real) && resolved.stats.isFile();
        return isFile ? toFoundNow(path, resolved.stats) : undefined;
      } catch (error) {
        signal.throwIfAborted();
        // One file that the service may not read is not there for it. A media root that is missing says nothing about its files.
        if (OF_ONE.has(errnoOf(error)) && (await isThere(calls, root))) return undefined;
        throw toUnreachable(error);
      }
    },
    reach: async (root, folder, signal = NEVER) => {
      using calls = callsFor(signal);
      try {
        return await placeAt(calls, await findFolder(calls, await openBoundary(calls, root), folder));
      } catch (error) {
        signal.throwIfAborted();
        throw toUnreachable(error);
      }
    },
  };
}

/** Follows symlinks in a media root. The calls to each disk take turns of their own, so that a disk that hangs delays no call to another disk. */
const resolveOn = async (calls: DiskCalls, { root }: AllowedPaths, path: string): Promise<ResolvedPath> =>
  resolveBy(root, path.split('/'), (query) => calls.run(diskAt(query.path), () => askLater(query)));

/** Returns a text that differs when another folder or disk is at this path. */
async function placeAt(calls: DiskCalls, top: string): Promise<string> {
  const { dev, ino } = await calls.run(diskAt(top), () => stat(top, { bigint: true }));
  return `${dev}:${ino}`;
}

const toFoundNow = (path: MediaPath, stats: BigIntStats): FoundNow => {
  const fingerprint = fingerprintOf(stats);
  return { ...toFound(path, stats), fingerprint, outputFingerprint: fingerprint, modifiedMs: Number(stats.mtimeMs) };
};

const isThere = (calls: DiskCalls, root: MediaRoot): Promise<boolean> =>
  calls
    .run(diskAt(rootPath(root)), () => realpath(rootPath(root)))
    .then(
      () => true,
      () => false,
    );

/** Returns the absolute path, without symlinks, of a folder of a client. */
async function findFolder(calls: DiskCalls, boundary: AllowedPaths, folder: string): Promise<string> {
  const resolved = await resolveOn(calls, boundary, folder);
  if (resolved.kind === 'loop') throw new FolderUnreachable('missing');
  if (!isInside(boundary, resolved.real, resolved.kind === 'missing' ? resolved.rest : []))
    throw new FolderUnreachable('denied');
  if (resolved.kind === 'missing' || !resolved.stats.isDirectory()) throw new FolderUnreachable('missing');
  return resolved.real;
}

function memoryOf(memory: ScanMemory): DiskMemory {
  if (memory instanceof DiskMemory) return memory;
  throw new Error('Not a memory of the disk source.');
}

/** Converts an error of the watched folder itself. Returns any other error unchanged, because it is a bug. */
function toUnreachable(error: unknown): unknown {
  if (error instanceof FolderUnreachable) return error;
  const errno = errnoOf(error);
  if (error instanceof DirectoryMoved || MISSING.has(errno)) return new FolderUnreachable('missing', error);
  if (DENIED.has(errno)) return new FolderUnreachable('denied', error);
  return errno === '' ? error : new FolderUnreachable('down', error);
}
