import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../domain/problem.ts';
import type { Leases } from '../../../files/ports.ts';
import type { S3Location } from '../location.ts';
import { keepLease } from './keep-lease.ts';

/** Runs one change of an object at a time, so that no other change happens between a check and what it allows. */
export interface KeyLocks {
  /** Runs `change` while no other service of the same database changes the object. Throws UNAVAILABLE after a long wait. */
  exclusive<T>(location: S3Location, key: string, change: () => Promise<T>): Promise<T>;
}

/** How often a service asks for a lock that another one has. A change takes some tenths of a second. */
const POLL_MS = 100;

/** The longest wait for a lock. A service that was killed holds its locks until their leases end, which is earlier. */
const WAIT_MS = 45_000;

export const LOCK_SECONDS = 30;

/** Locks for the services of one database. */
export function keyLocks(leases: Leases): KeyLocks {
  /** The last change of each key that runs or waits in this process. It never rejects. */
  const last = new Map<string, Promise<void>>();
  return {
    exclusive: async ({ bucket }, key, change) => {
      const name = `object:${bucket}/${key}`;
      const running = (last.get(name) ?? Promise.resolve()).then(() => withLease(leases, name, change));
      const ended = running.then(
        () => undefined,
        () => undefined,
      );
      last.set(name, ended);
      try {
        return await running;
      } finally {
        if (last.get(name) === ended) last.delete(name);
      }
    },
  };
}

async function withLease<T>(leases: Leases, name: string, change: () => Promise<T>): Promise<T> {
  const lease = { name, holder: randomUUID() };
  for (let waited = 0; !(await leases.take(lease, LOCK_SECONDS)); waited += POLL_MS) {
    if (waited >= WAIT_MS)
      throw new Problem('UNAVAILABLE', 'Another request changes this file. Send the request again.', {
        retryAfterSeconds: 5,
      });
    await delay(POLL_MS);
  }
  using _renewing = keepLease(leases, lease, LOCK_SECONDS);
  try {
    return await change();
  } finally {
    // A lease that is not released ends by itself.
    await leases.release(lease).catch(() => undefined);
  }
}
