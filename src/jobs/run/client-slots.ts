/**
 * Reads how many jobs each client may run at a time. Clients without a limit are absent. The result is used for a second,
 * because workers ask at each claim.
 */
export type ClientSlots = () => Promise<ReadonlyMap<string, number>>;

/** How long a result is used. A change of a limit takes effect after this time. */
const MAX_AGE_MS = 1000;

/** `list`: reads the clients with their limits. */
export function clientSlots(
  list: () => Promise<readonly { readonly clientId: string; readonly running?: number }[]>,
  now: () => number = () => performance.now(),
): ClientSlots {
  let slots: ReadonlyMap<string, number> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const at = now();
    if (at - readAt < MAX_AGE_MS) return slots;
    const clients = await list();
    slots = new Map(clients.flatMap(({ clientId, running }) => (running === undefined ? [] : [[clientId, running]])));
    readAt = at;
    return slots;
  };
}
