import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../domain/problem.ts';
import type { Leases } from '../ports.ts';
import type { UploadLock, UploadOperations } from './operations.ts';

/** A service that was killed, or is paused for longer, loses its locks. */
const LEASE_SECONDS = 10;
const RENEWAL_MS = 3000;

/** How often a holder looks for requests that wait on other services, and how often those try again. */
const WANTED_POLL_MS = 1000;
const POLL_MS = 200;

/** The longest wait for a lock: longer than the lease of a service that was killed, and than a holder takes to end. */
const WAIT_MS = 20_000;

/** The names of all leases of this file begin with it. */
export const LOCK_LEASES = 'resumable-';

const lockName = (uploadId: string): string => `${LOCK_LEASES}lock:${uploadId}`;
const wantedName = (uploadId: string): string => `${LOCK_LEASES}wanted:${uploadId}`;

const uploadLocked = (): Problem =>
  new Problem('UPLOAD_LOCKED', 'Another request has this upload. Ask for its offset and resume.', {
    retryAfterSeconds: 1,
  });

/** Locks of uploads for the services of one database, which are leases in it. */
export function uploadLocks(leases: Leases): Pick<UploadOperations, 'lock'> {
  /** Asks the request of this process that has the upload to end. */
  const askHere = new Map<string, () => void>();

  return {
    lock: async (uploadId, signal, onWanted) => {
      const holder = randomUUID();
      const lease = { name: lockName(uploadId), holder };
      const wanted = { name: wantedName(uploadId), holder };
      const endsAt = Date.now() + WAIT_MS;
      let hasAsked = false;
      let renewedAt = Date.now();
      try {
        while (!(await leases.take(lease, LEASE_SECONDS))) {
          askHere.get(uploadId)?.();
          if (!hasAsked) await leases.take(wanted, WAIT_MS / 1000);
          hasAsked = true;
          if (Date.now() > endsAt) throw uploadLocked();
          await delay(POLL_MS, undefined, { signal });
          renewedAt = Date.now();
        }
      } finally {
        // A lease that is not released ends by itself.
        if (hasAsked) await leases.release(wanted).catch(() => undefined);
      }
      askHere.set(uploadId, onWanted);
      const renew = async (): Promise<void> => {
        const at = Date.now();
        if (await leases.take(lease, LEASE_SECONDS)) renewedAt = at;
      };
      const timers = [
        setInterval(() => void renew().catch(() => undefined), RENEWAL_MS),
        setInterval(() => {
          const look = async (): Promise<void> => {
            if (await leases.anyHeld([wanted.name])) onWanted();
          };
          look().catch(() => undefined);
        }, WANTED_POLL_MS),
      ];
      const lock: UploadLock = {
        holder,
        assertHeld: () => {
          if (Date.now() - renewedAt >= LEASE_SECONDS * 1000) throw uploadLocked();
        },
        release: async () => {
          for (const timer of timers) clearInterval(timer);
          if (askHere.get(uploadId) === onWanted) askHere.delete(uploadId);
          await leases.release(lease).catch(() => undefined);
        },
      };
      return lock;
    },
  };
}
