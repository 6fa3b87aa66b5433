import type { ClientLimitChanges } from '../../domain/client-limits.ts';
import type { TakeRequest } from '../ports/job-queue.ts';

/** How many jobs each client may run at a time. */
export type ClientSlotLimits = Required<Pick<TakeRequest, 'perClient' | 'ofClients'>>;

/** Reads how many jobs each client may run at a time. The result is used for a second, because workers ask at each claim. */
export type ClientSlots = () => Promise<ClientSlotLimits>;

/** How long a result is used. A change of a client's own limit takes effect after this time. */
const MAX_AGE_MS = 1000;

/**
 * `running`: the limit of clients without one of their own, also of those that are added after a read. Default: none.
 * `listLimited`: reads the clients with limits of their own.
 */
export function clientSlots(
  running: number | undefined,
  listLimited: () => Promise<readonly { readonly clientId: string; readonly limits?: ClientLimitChanges }[]>,
  now: () => number = () => performance.now(),
): ClientSlots {
  const perClient = running ?? Number.POSITIVE_INFINITY;
  let limits: ClientSlotLimits = { perClient, ofClients: new Map() };
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = now();
    if (at - readAt < MAX_AGE_MS) return limits;
    const ofClients = new Map<string, number>();
    for (const { clientId, limits: own } of await listLimited())
      if (own?.running !== undefined) ofClients.set(clientId, own.running ?? Number.POSITIVE_INFINITY);
    limits = { perClient, ofClients };
    readAt = at;
    return limits;
  };
}
