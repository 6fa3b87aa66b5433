import { statfs } from 'node:fs/promises';
import type { MaybePromise } from '../../../domain/maybe-promise.ts';

/**
 * File systems that answer over a network or from another process (`f_type` of statfs(2)): NFS, SMB 1–3, FUSE, 9p,
 * Ceph, AFS, Lustre, GFS2, OCFS2, Coda, VirtualBox.
 */
const REMOTE: ReadonlySet<number> = new Set([
  0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997, 0x00c36400, 0x5346414f, 0x0bd00bd0, 0x01161970,
  0x7461636f, 0x73757245, 0x786f4256,
]);

/** Converts `type` to an unsigned number, because some systems report a signed one. */
const isRemote = (type: number): boolean => REMOTE.has(type >>> 0);

/** Tells whether the disk of a folder answers in microseconds, so that it may be read synchronously. */
export type IsOnLocalDisk = (folder: string) => MaybePromise<boolean>;

/**
 * Asks once per folder, so a remote disk that is mounted below a local folder counts as local. A folder that cannot be read counts as
 * remote, and is asked about again.
 */
export function localDisks(): IsOnLocalDisk {
  const known = new Map<string, boolean>();
  return (folder) =>
    known.get(folder) ??
    statfs(folder).then(
      ({ type }) => {
        known.set(folder, !isRemote(type));
        return !isRemote(type);
      },
      () => false,
    );
}
