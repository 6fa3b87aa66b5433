import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Lease, Leases } from '../../files/ports.ts';
import type { OutputUploads } from '../../jobs/ports/job-records.ts';
import type { S3Location } from './location.ts';

/** Thrown if the wait for the lock of an object was too long, because another request or job changes the object. */
export class KeyLocked extends Error {
  override readonly name = 'KeyLocked';
}

/**
 * The pause between two attempts to lock a key, for requests and for jobs. A request changes a key for some tenths of a
 * second; a job publishes for seconds.
 */
const POLL_MS = 100;
const RESERVATION_POLL_MS = 250;

/** The maximum wait for a lock, for requests and for jobs. It is longer than the lease of a killed service. */
const WAIT_MS = 45_000;
const RESERVATION_WAIT_MS = 60_000;

const LOCK_SECONDS = 30;

export type KeyLocks = ReturnType<typeof keyLocks>;

/**
 * Ensures that only one service of the database changes an object at a time. A request takes a lease on the key. A job,
 * which can have thousands of keys, reserves all of them in one transaction.
 *
 * A request stores its lease before it looks for a reservation, and a job its reservation before it looks for leases.
 * So at least one of them sees the conflict. Then the request gives up its lease, and the job waits until the lease has
 * ended.
 */
export function keyLocks(leases: Leases, uploads: Pick<OutputUploads, 'reserve' | 'reservedBy'>) {
  /** For each key, the last change of this process that runs or waits. The promise never rejects. */
  const last = new Map<string, Promise<unknown>>();

  const withLease = async <T>(
    bucket: string,
    key: string,
    change: () => Promise<T>,
    scratch: string | undefined,
  ): Promise<T> => {
    const lease = { name: leaseName(bucket, key), holder: randomUUID() };
    const isReserved = async (): Promise<boolean> => {
      const reservedBy = await uploads.reservedBy(bucket, key);
      return reservedBy !== undefined && reservedBy !== scratch;
    };
    // Ignore errors: the lease expires by itself.
    const release = () => leases.release(lease).catch(() => undefined);
    for (let waited = 0; ; waited += POLL_MS) {
      // Check before taking the lease too. Otherwise, the lease of this request would block the job for which the
      // request waits.
      if (!(await isReserved()) && (await leases.take(lease, LOCK_SECONDS))) {
        const isLate = await isReserved().catch(async (error) => {
          await release();
          throw error;
        });
        if (!isLate) break;
        await release();
      }
      if (waited >= WAIT_MS) throw new KeyLocked();
      await delay(POLL_MS);
    }
    using _renewing = keepLease(leases, lease, LOCK_SECONDS);
    try {
      return await change();
    } finally {
      await release();
    }
  };

  return {
    /**
     * Runs `change` while no other request changes the object and no job publishes to its key. Reservations of the
     * attempt `scratch` do not count. Throws KeyLocked if the wait is too long.
     */
    exclusive: async <T>(
      { bucket }: Pick<S3Location, 'bucket'>,
      key: string,
      change: () => Promise<T>,
      scratch?: string,
    ): Promise<T> => {
      const name = leaseName(bucket, key);
      const running = (last.get(name) ?? Promise.resolve()).then(() => withLease(bucket, key, change, scratch));
      const ended = Promise.allSettled([running]);
      last.set(name, ended);
      try {
        return await running;
      } finally {
        if (last.get(name) === ended) last.delete(name);
      }
    },
    /**
     * Reserves keys for an attempt, and waits until requests no longer change them. The reservation ends with
     * `OutputUploads.forget` or with the job. Throws KeyLocked if the wait is too long.
     */
    reserve: async (scratch: string, bucket: string, keys: readonly string[]): Promise<void> => {
      const names = keys.map((key) => leaseName(bucket, key));
      const isReserved = async () =>
        (await uploads.reserve(scratch, bucket, keys)) === undefined && !(await leases.anyHeld(names));
      const deadline = performance.now() + RESERVATION_WAIT_MS;
      while (!(await isReserved())) {
        if (performance.now() > deadline) throw new KeyLocked();
        await delay(RESERVATION_POLL_MS);
      }
    },
  };
}

const leaseName = (bucket: string, key: string): string => `object:${bucket}/${key}`;

/** Renews a lease until the result is disposed of. Ignores a failed renewal: the next comes before the lease ends. */
export function keepLease(leases: Leases, lease: Lease, seconds: number): Disposable {
  const timer = setInterval(() => void leases.take(lease, seconds).catch(() => undefined), (seconds * 1000) / 3);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
