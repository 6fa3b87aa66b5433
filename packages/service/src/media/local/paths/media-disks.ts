import { realpath, statfs } from 'node:fs/promises';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { diskOf, isLocalFrom, isLocalPath, type Mount, recentMounts } from './mounts.ts';
import { type CallOptions, type RemoteCalls, type RemoteCallsOptions, remoteCalls } from './remote-calls.ts';

/** The disks of all media roots. One service has one of these, so that all its calls know which disks hang. */
export interface MediaDisks {
  readonly isLocal: IsOnLocalDisk;
  /** Like `RemoteCalls`. A call to a local disk has no limit. */
  readonly calls: RemoteCalls;
}

/** Whether the disk of a folder answers in microseconds, so that synchronous reads are allowed. */
export type IsOnLocalDisk = (folder: string) => Promise<boolean>;

export function mediaDisks(options: RemoteCallsOptions = {}): MediaDisks {
  const remote = remoteCalls(options);
  const calls: RemoteCalls = (disk, call, callOptions) =>
    isLocalPath(recentMounts(), disk) ? call() : remote(disk, call, callOptions);
  return { isLocal: localDisks(calls), calls };
}

/**
 * Remembers whether the disk of each folder is local, by the type of its mount. A folder that cannot be read counts as remote, and is read
 * again later. Throws UNAVAILABLE if the disk does not reply.
 */
export function localDisks(calls: RemoteCalls): IsOnLocalDisk {
  const known = new Map<string, boolean>();
  const read = async (folder: string): Promise<boolean> => {
    const mounts = recentMounts();
    const onDisk: <T>(call: () => Promise<T>) => Promise<T> = (call) => calls(diskOf(mounts, folder), call);
    try {
      const isLocal =
        mounts.length > 0
          ? isLocalPath(mounts, await onDisk(() => realpath(folder)))
          : !isRemote((await onDisk(() => statfs(folder))).type);
      known.set(folder, isLocal);
      return isLocal;
    } catch (error) {
      if (error instanceof Problem) throw error;
      return false;
    }
  };
  return async (folder) => known.get(folder) ?? read(folder);
}

/**
 * For a system without a list of mounts: the types (`f_type` of statfs(2)) of file systems that need a network or another process to
 * answer: NFS, SMB 1–3, FUSE, 9p, Ceph, AFS, Lustre, GFS2, OCFS2, Coda, VirtualBox.
 */
const REMOTE: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x0bd00bd0, 0x01161970,
  0x7461636f, 0x73757245, 0x786f4256,
]);

/** `>>> 0`: some systems report `type` as a signed number. */
const isRemote = (type: number): boolean => REMOTE.has(type >>> 0);

/** Returns the name of the disk of an absolute path, see `diskOf`. */
export const diskAt = (path: string): string => diskOf(recentMounts(), path);

/** Reads the disks to which the paths of a media root lead: its own, and those that are mounted below it or behind a symlink. */
export interface DiskReads {
  /** Whether the disk of an absolute path answers in microseconds, so that synchronous reads are allowed. */
  isLocal(path: string): boolean;
  /** See `diskOf`. */
  diskOf(path: string): string;
  /** Runs a call to the disk of an absolute path. See `RemoteCalls`: a call to a local disk has no limit. */
  call<T>(path: string, call: () => Promise<T>, options?: CallOptions<T>): Promise<T>;
}

/** @param isLocalRoot Whether the disk of `root` itself is local. If not, all paths count as remote. */
export function diskReads({ calls }: Pick<MediaDisks, 'calls'>, root: string, isLocalRoot: boolean): DiskReads {
  let known: { readonly mounts: readonly Mount[]; isLocal(path: string): boolean } | undefined;
  const isLocal = (path: string): boolean => {
    if (!isLocalRoot) return false;
    const mounts = recentMounts();
    if (known?.mounts !== mounts) known = { mounts, isLocal: isLocalFrom(mounts, root) };
    return known.isLocal(path);
  };
  return {
    isLocal,
    diskOf: diskAt,
    call: (path, call, options) => (isLocal(path) ? call() : calls(diskAt(path), call, options)),
  };
}
