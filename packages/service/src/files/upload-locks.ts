import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Leases } from './ports.ts';

/** The right of one request to change an upload. Only one request has it at a time. */
export interface UploadLock {
  readonly holder: string;
  /** Throws UPLOAD_LOCKED if this process was paused for so long that another request may have the lock. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** A service that is killed, or paused for longer than this, loses its locks. */
const LEASE_SECONDS = 10;

/** How often the holder of a lock renews it and looks whether other requests wait for it, and how often these try to take it. */
const RENEWAL_MS = 1000;
const POLL_MS = 400;

/** How long the mark of a waiting request lasts. The request renews it while it waits. */
const WANTED_SECONDS = 3;

/** How many requests of a process may wait for the same upload. Each of them polls the database. */
const MAX_WAITING = 4;

/** The maximum wait for a lock. It is longer than the lease of a killed service, and than a holder needs to stop. */
const WAIT_MS = 20_000;

/** Leases on uploads have names with this prefix. */
export const LOCK_LEASES = 'resumable-';

export const lockName = (uploadId: string): string => `${LOCK_LEASES}lock:${uploadId}`;

const uploadLocked = (): Problem =>
  new Problem('UPLOAD_LOCKED', 'Another request uses this upload. Read its offset and resume.', {
    retryAfterSeconds: 1,
  });

/**
 * Waits for the lock of an upload, and makes its current holder stop. An abort of `signal` ends the wait with its
 * reason. `onWanted`: called while another request waits for this lock. Throws UPLOAD_LOCKED if the wait is too long.
 */
type LockUpload = (uploadId: string, signal: AbortSignal, onWanted: () => void) => Promise<UploadLock>;

/** Creates the locks of uploads. They are leases, which all services with this database share. */
export function uploadLocks(leases: Leases): LockUpload {
  /** The number of waiting requests for each upload. */
  const waiting = new Map<string, number>();

  const waitFor = async (uploadId: string, signal: AbortSignal, take: () => Promise<boolean>): Promise<void> => {
    const others = waiting.get(uploadId) ?? 0;
    if (others >= MAX_WAITING) throw uploadLocked();
    waiting.set(uploadId, others + 1);
    const endsAt = Date.now() + WAIT_MS;
    try {
      do {
        if (Date.now() > endsAt) throw uploadLocked();
        await leases.take(markOf(uploadId), WANTED_SECONDS);
        await delay(POLL_MS, undefined, { signal });
      } while (!(await take()));
    } finally {
      const left = (waiting.get(uploadId) ?? 1) - 1;
      if (left > 0) waiting.set(uploadId, left);
      else waiting.delete(uploadId);
    }
  };

  return async (uploadId, signal, onWanted) => {
    const lease = { name: lockName(uploadId), holder: randomUUID() };
    let takenAt = Number.NEGATIVE_INFINITY;
    const take = async (): Promise<boolean> => {
      const at = Date.now();
      const isTaken = await leases.take(lease, LEASE_SECONDS);
      takenAt = isTaken ? at : Number.NEGATIVE_INFINITY;
      return isTaken;
    };
    if (!(await take())) {
      await waitFor(uploadId, signal, take);
      // Ignore errors: the mark expires. Requests that still wait renew it.
      await leases.release(markOf(uploadId)).catch(() => undefined);
    }
    const renew = async (): Promise<void> => {
      if (await leases.anyHeld([markOf(uploadId).name])) onWanted();
      await take();
    };
    let renewal: Promise<void> = Promise.resolve();
    const timer = setInterval(() => {
      renewal = renew().catch(() => undefined);
    }, RENEWAL_MS);
    return {
      holder: lease.holder,
      assertHeld: () => {
        if (Date.now() - takenAt >= LEASE_SECONDS * 1000) throw uploadLocked();
      },
      release: async () => {
        clearInterval(timer);
        // Wait for a renewal in progress, which would take the lease again after its release.
        await renewal;
        await leases.release(lease).catch(() => undefined);
      },
    };
  };
}

/** The mark that requests wait for an upload. All of them renew one lease. */
const markOf = (uploadId: string) => ({ name: `${LOCK_LEASES}wanted:${uploadId}`, holder: 'waiting requests' });
