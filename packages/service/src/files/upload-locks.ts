import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Lease, Leases } from './ports.ts';

/** The right of one request to change an upload. */
export interface UploadLock {
  readonly holder: string;
  /** Throws UPLOAD_LOCKED if another request may have the lock, because this process was paused. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** A service that is killed, or paused for longer, loses its locks. */
const LEASE_SECONDS = 10;
const RENEWAL_MS = 3000;

/** How often a holder looks for waiting requests of other services, and how often these try again. */
const WANTED_POLL_MS = 1000;
const POLL_MS = 200;

/** The lifetime of the mark of a waiting request, which renews it. */
const WANTED_SECONDS = 3;

/** The most requests that wait for one upload in a process. Each polls the database. */
const MAX_WAITING = 4;

/** The longest wait for a lock: longer than the lease of a killed service, and than a holder takes to end. */
const WAIT_MS = 20_000;

/** The prefix of the names of these leases. */
export const LOCK_LEASES = 'resumable-';

export const lockName = (uploadId: string): string => `${LOCK_LEASES}lock:${uploadId}`;
const wantedName = (uploadId: string): string => `${LOCK_LEASES}wanted:${uploadId}`;

const uploadLocked = (): Problem =>
  new Problem('UPLOAD_LOCKED', 'Another request uses this upload. Read its offset and resume.', {
    retryAfterSeconds: 1,
  });

/**
 * Waits for the lock of an upload, and lets its holder end. `signal` ends the wait with its reason. `onWanted`: called if another
 * request waits for the lock. Throws UPLOAD_LOCKED after a long wait.
 */
type LockUpload = (uploadId: string, signal: AbortSignal, onWanted: () => void) => Promise<UploadLock>;

/** Locks uploads by leases, for the services of one database. */
export function uploadLocks(leases: Leases): LockUpload {
  /** `onWanted` of the holders in this process, by upload. */
  const holders = new Map<string, () => void>();
  /** The number of waiting requests for each upload. */
  const waiting = new Map<string, number>();

  /** Takes a lease that another request has. Returns when it was taken. */
  const waitFor = async (uploadId: string, lease: Lease, signal: AbortSignal): Promise<number> => {
    const others = waiting.get(uploadId) ?? 0;
    if (others >= MAX_WAITING) throw uploadLocked();
    waiting.set(uploadId, others + 1);
    // One waiting request has this lease. When it ends, the next one takes the lease.
    const wanted = { name: wantedName(uploadId), holder: lease.holder };
    const endsAt = Date.now() + WAIT_MS;
    let saidAt = Number.NEGATIVE_INFINITY;
    try {
      for (;;) {
        holders.get(uploadId)?.();
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
      // If this fails, the lease expires.
      await leases.release(wanted).catch(() => undefined);
    }
  };

  return async (uploadId, signal, onWanted) => {
    const lease = { name: lockName(uploadId), holder: randomUUID() };
    let renewedAt = Date.now();
    if (!(await leases.take(lease, LEASE_SECONDS))) renewedAt = await waitFor(uploadId, lease, signal);
    holders.set(uploadId, onWanted);
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
        if (holders.get(uploadId) === onWanted) holders.delete(uploadId);
        // A late renewal would take the lease again.
        await renewal;
        await leases.release(lease).catch(() => undefined);
      },
    };
  };
}
