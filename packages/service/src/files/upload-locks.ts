import { randomUUID } from 'node:crypto';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Leases } from './ports.ts';

/** The right of one request to change an upload. Only one request has it at a time. */
export interface UploadLock {
  readonly holder: string;
  release(): Promise<void>;
}

/** A service that is killed, or paused for longer than this, loses its locks. */
const LEASE_SECONDS = 10;

/** How often the holder of a lock renews it, and looks whether another request wants it. */
const RENEWAL_MS = 1000;

/** How long the holder sees that a rejected request has asked it to end. */
const WANTED_SECONDS = 3;

/** Leases on uploads have names with this prefix. */
export const LOCK_LEASES = 'resumable-';

export const lockName = (uploadId: string): string => `${LOCK_LEASES}lock:${uploadId}`;

/** Another request has the lock of the upload. */
export const uploadLocked = (): Problem =>
  new Problem('UPLOAD_LOCKED', 'Another request uses this upload. Read its offset and resume.', {
    retryAfterSeconds: 1,
  });

/**
 * Locks an upload by a lease, which all services with this database share. If another request has the lock, asks it to end, and throws
 * UPLOAD_LOCKED: clients of tus retry. `onWanted`: called when another request wants this lock.
 */
export async function lockUpload(leases: Leases, uploadId: string, onWanted: () => void): Promise<UploadLock> {
  const lease = { name: lockName(uploadId), holder: randomUUID() };
  const wanted = { name: `${LOCK_LEASES}wanted:${uploadId}`, holder: 'rejected requests' };
  const take = (): Promise<boolean> => leases.take(lease, LEASE_SECONDS);
  if (!(await take())) {
    await leases.take(wanted, WANTED_SECONDS);
    throw uploadLocked();
  }
  if (await leases.anyHeld([wanted.name])) await leases.release(wanted);
  let renewal: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    const looked = leases.anyHeld([wanted.name]).then((isWanted) => isWanted && onWanted());
    renewal = Promise.allSettled([take(), looked]);
  }, RENEWAL_MS);
  return {
    holder: lease.holder,
    release: async () => {
      clearInterval(timer);
      // Wait for a renewal in progress, which would take the lease again after its release.
      await renewal;
      await leases.release(lease).catch(() => undefined);
    },
  };
}
