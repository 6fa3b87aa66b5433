import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../domain/problem.ts';
import type { Lease, Leases } from './ports.ts';

/** The right to change an upload, which one request of all services has at a time. */
export interface UploadLock {
  readonly holder: string;
  /** Throws UPLOAD_LOCKED if another request may have the lock now, because this process was paused. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** A service that was killed, or is paused for longer, loses its locks. */
const LEASE_SECONDS = 10;
const RENEWAL_MS = 3000;

/** How often a holder looks for requests that wait on other services, and how often those try again. */
const WANTED_POLL_MS = 1000;
const POLL_MS = 200;

/** How long the mark of a waiting request lasts, which the request renews: that of a killed service ends soon. */
const WANTED_SECONDS = 3;

/** The most requests that wait for one upload in a process. Each asks the database, and a client can send any number. */
const MAX_WAITING = 4;

/** The longest wait for a lock: longer than the lease of a service that was killed, and than a holder takes to end. */
const WAIT_MS = 20_000;

/** The names of all leases of this file begin with it. */
export const LOCK_LEASES = 'resumable-';

/** The name of the lease of the one who may change an upload. */
export const lockName = (uploadId: string): string => `${LOCK_LEASES}lock:${uploadId}`;
const wantedName = (uploadId: string): string => `${LOCK_LEASES}wanted:${uploadId}`;

const uploadLocked = (): Problem =>
  new Problem('UPLOAD_LOCKED', 'Another request has this upload. Ask for its offset and resume.', {
    retryAfterSeconds: 1,
  });

/** Waits until no other request has the upload, and asks the one that has it to end. */
type LockUpload = (
  uploadId: string,
  /** Ends the wait with its reason. UPLOAD_LOCKED ends it after a long time. */
  signal: AbortSignal,
  /** Called if another request waits for the lock. */
  onWanted: () => void,
) => Promise<UploadLock>;

/** Locks of uploads for the services of one database, which are leases in it. */
export function uploadLocks(leases: Leases): LockUpload {
  /** Asks the request of this process that has the upload to end. */
  const askHere = new Map<string, () => void>();
  /** The number of waiting requests for each upload. */
  const waiting = new Map<string, number>();

  /** Takes a lease that another request has. Returns when it was taken. */
  const waitFor = async (uploadId: string, lease: Lease, signal: AbortSignal): Promise<number> => {
    const others = waiting.get(uploadId) ?? 0;
    if (others >= MAX_WAITING) throw uploadLocked();
    waiting.set(uploadId, others + 1);
    // One waiting request has this lease. Another one takes it as soon as that has ended.
    const wanted = { name: wantedName(uploadId), holder: lease.holder };
    const endsAt = Date.now() + WAIT_MS;
    let saidAt = Number.NEGATIVE_INFINITY;
    try {
      for (;;) {
        askHere.get(uploadId)?.();
        if (Date.now() - saidAt >= WANTED_POLL_MS) {
          saidAt = Date.now();
          await leases.take(wanted, WANTED_SECONDS);
        }
        if (Date.now() > endsAt) throw uploadLocked();
        await delay(POLL_MS, undefined, { signal });
        const takenAt = Date.now();
        if (await leases.take(lease, LEASE_SECONDS)) return takenAt;
      }
    } finally {
      const left = (waiting.get(uploadId) ?? 1) - 1;
      if (left > 0) waiting.set(uploadId, left);
      else waiting.delete(uploadId);
      // A lease that is not released ends by itself.
      await leases.release(wanted).catch(() => undefined);
    }
  };

  return async (uploadId, signal, onWanted) => {
    const lease = { name: lockName(uploadId), holder: randomUUID() };
    let renewedAt = Date.now();
    if (!(await leases.take(lease, LEASE_SECONDS))) renewedAt = await waitFor(uploadId, lease, signal);
    askHere.set(uploadId, onWanted);
    const renew = async (): Promise<void> => {
      const at = Date.now();
      renewedAt = (await leases.take(lease, LEASE_SECONDS)) ? at : Number.NEGATIVE_INFINITY;
    };
    let renewal: Promise<void> = Promise.resolve();
    const timers = [
      setInterval(() => {
        renewal = renew().catch(() => undefined);
      }, RENEWAL_MS),
      setInterval(() => {
        const look = async (): Promise<void> => {
          if (await leases.anyHeld([wantedName(uploadId)])) onWanted();
        };
        look().catch(() => undefined);
      }, WANTED_POLL_MS),
    ];
    return {
      holder: lease.holder,
      assertHeld: () => {
        if (Date.now() - renewedAt >= LEASE_SECONDS * 1000) throw uploadLocked();
      },
      release: async () => {
        for (const timer of timers) clearInterval(timer);
        if (askHere.get(uploadId) === onWanted) askHere.delete(uploadId);
        // Else it could take the lease again once that is released.
        await renewal;
        await leases.release(lease).catch(() => undefined);
      },
    };
  };
}
