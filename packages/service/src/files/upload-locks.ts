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

/** A service loses its locks if it is killed, or paused for longer than this. */
const LEASE_SECONDS = 10;
const RENEWAL_MS = 3000;

/** How often the holder of a lock looks for waiting requests of other services. A waiting request also renews its mark this often. */
const WANTED_POLL_MS = 1000;
const POLL_MS = 200;

/** The lifetime of the mark of a waiting request. The request renews the mark while it waits. */
const WANTED_SECONDS = 3;

/** The most requests in a process that wait for the same upload. Each waiting request polls the database. */
const MAX_WAITING = 4;

/** The longest wait for a lock. It is longer than the lease of a killed service, and longer than a holder needs to stop. */
const WAIT_MS = 20_000;

/** The prefix of the names of leases on uploads. */
export const LOCK_LEASES = 'resumable-';

export const lockName = (uploadId: string): string => `${LOCK_LEASES}lock:${uploadId}`;
const wantedName = (uploadId: string): string => `${LOCK_LEASES}wanted:${uploadId}`;

const uploadLocked = (): Problem =>
  new Problem('UPLOAD_LOCKED', 'Another request uses this upload. Read its offset and resume.', {
    retryAfterSeconds: 1,
  });

/**
 * Waits for the lock of an upload, and makes its current holder stop. If `signal` aborts, the wait ends with the reason of the abort.
 * `onWanted`: called while another request waits for this lock. Throws UPLOAD_LOCKED if the wait is too long.
 */
type LockUpload = (uploadId: string, signal: AbortSignal, onWanted: () => void) => Promise<UploadLock>;

/** Creates the locks of uploads. They are leases, which all services of a database share. */
export function uploadLocks(leases: Leases): LockUpload {
  /** `onWanted` of each lock holder in this process. The keys are ids of uploads. */
  const holders = new Map<string, () => void>();
  /** The number of waiting requests for each upload. */
  const waiting = new Map<string, number>();

  /** Waits until it can take a lease that another request has. Returns the time at which it took the lease. */
  const waitFor = async (uploadId: string, lease: Lease, signal: AbortSignal): Promise<number> => {
    const others = waiting.get(uploadId) ?? 0;
    if (others >= MAX_WAITING) throw uploadLocked();
    waiting.set(uploadId, others + 1);
    // The mark that a request waits. Only one waiting request has this lease. When it stops waiting, the next one takes the lease.
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
      // Ignore an error here: the lease expires.
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
        // Wait for a running renewal: it would take the lease again after the release.
        await renewal;
        await leases.release(lease).catch(() => undefined);
      },
    };
  };
}
