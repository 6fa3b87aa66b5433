import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { Lease, Leases } from './ports.ts';

/** The right of one request to change an upload. Only one request has it at a time. */
export interface UploadLock {
  readonly holder: string;
  /** Throws UPLOAD_LOCKED if this process was paused for so long that another request may have the lock. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** A service that is killed, or paused for longer than this, loses its locks. */
const LEASE_SECONDS = 10;
const RENEWAL_MS = 3000;

/**
 * How often the holder of a lock looks whether requests of other services wait for it. A waiting request renews its
 * mark just as often.
 */
const WANTED_POLL_MS = 1000;
const POLL_MS = 200;

/** How long the mark of a waiting request lasts. The request renews it while it waits. */
const WANTED_SECONDS = 3;

/** How many requests of a process may wait for the same upload. Each of them polls the database. */
const MAX_WAITING = 4;

/** The maximum wait for a lock. It is longer than the lease of a killed service, and than a holder needs to stop. */
const WAIT_MS = 20_000;

/** Leases on uploads have names with this prefix. */
export const LOCK_LEASES = 'resumable-';

export const lockName = (uploadId: string): string => `${LOCK_LEASES}lock:${uploadId}`;
const wantedName = (uploadId: string): string => `${LOCK_LEASES}wanted:${uploadId}`;

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
  /** For each upload that a request of this process has locked: the `onWanted` of this request. */
  const holders = new Map<string, () => void>();
  /** The number of waiting requests for each upload. */
  const waiting = new Map<string, number>();

  /** Waits until it can take a lease that another request has. Returns the time at which it took the lease. */
  const waitFor = async (uploadId: string, lease: Lease, signal: AbortSignal): Promise<number> => {
    const others = waiting.get(uploadId) ?? 0;
    if (others >= MAX_WAITING) throw uploadLocked();
    waiting.set(uploadId, others + 1);
    // The mark that a request waits: a lease, which only one waiting request has. When this request stops waiting, the
    // next one takes it.
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
      // Ignore errors: the lease expires.
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
        // Wait for a renewal in progress, which would take the lease again after its release.
        await renewal;
        await leases.release(lease).catch(() => undefined);
      },
    };
  };
}
