import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import type { Leases } from '../files/ports.ts';

/** When other services take a service for dead, in seconds, and how often it renews its lease and looks at those of others. */
export interface ServiceLeaseTimes {
  readonly seconds: number;
  readonly renewMs: number;
  readonly lookMs: number;
}

/** After a service was killed, another one works for its watches within 30 s: 25 s until the lease ends, and 4 s until that is seen. */
export const SERVICE_LEASE: ServiceLeaseTimes = { seconds: 25, renewMs: 10_000, lookMs: 4000 };

/** The name of the lease by which a service shows that it is alive. One for all its watches: renewing each of theirs would be many writes. */
export const nameOfServiceLease = (holder: string): string => `${SERVICE_LEASES}${holder}`;
export const SERVICE_LEASES = 'watcher/';

export interface ServiceLease {
  /** Resolves when other services can see that this one is alive, from now on. */
  keep(): Promise<void>;
  /** Lets other services take over. */
  end(): Promise<void>;
}

export interface ServiceLeaseDeps {
  readonly leases: Pick<Leases, 'take' | 'release'>;
  readonly holder: string;
  /** A clock in milliseconds that only moves forward. */
  readonly monotonic: () => number;
  /** Whether this service has the lease of a watch. If not, it shows nothing. */
  readonly isNeeded: () => boolean;
  /** Called when the lease had ended, so that other services may have taken over. */
  readonly onLost: () => void;
  readonly onError: (error: unknown) => void;
}

export function serviceLease(
  { leases, holder, monotonic, isNeeded, onLost, onError }: ServiceLeaseDeps,
  { seconds, renewMs }: ServiceLeaseTimes,
): ServiceLease {
  const lease = { name: nameOfServiceLease(holder), holder };
  let renewedMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let beginning: Promise<void> | undefined;
  let ending: Promise<void> = Promise.resolve();

  const take = async (): Promise<void> => {
    // The lease ends at least so long after this time, by the clock of the database.
    const nowMs = monotonic();
    await leases.take(lease, seconds);
    renewedMs = nowMs;
  };
  const end = async (): Promise<void> => {
    clearInterval(timer);
    timer = undefined;
    beginning = undefined;
    ending = leases.release(lease);
    await ending;
  };
  const renew = async (): Promise<void> => {
    if (!isNeeded()) return end();
    const isLost = monotonic() - renewedMs >= seconds * 1000;
    await take();
    if (isLost) onLost();
  };
  const begin = async (): Promise<void> => {
    // A release after this would end the new lease.
    await ending.catch(() => {});
    await take();
    timer = setInterval(() => {
      renew().catch((error: unknown) => {
        if (!isStoreOutage(error)) onError(error);
      });
    }, renewMs);
    timer.unref();
  };
  return {
    keep: () => {
      beginning ??= begin().catch((error: unknown) => {
        beginning = undefined;
        throw error;
      });
      return beginning;
    },
    end: async () => {
      await beginning?.catch(() => {});
      if (timer !== undefined) await end();
    },
  };
}
