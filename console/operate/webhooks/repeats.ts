import type { Delivery } from '@telecine/client';

/**
 * Returns the ids of the deliveries that repeat an older one of the list. To one webhook, an event is sent once, so a second delivery with
 * its id is a repeat. `deliveries`: the newest first. A repeat whose original is not in the list is not known.
 */
export function repeatsAmong(deliveries: readonly Pick<Delivery, 'deliveryId' | 'messageId'>[]): ReadonlySet<string> {
  const originals = new Map(deliveries.map(({ messageId, deliveryId }) => [messageId, deliveryId]));
  return new Set(
    deliveries
      .filter(({ messageId, deliveryId }) => originals.get(messageId) !== deliveryId)
      .map(({ deliveryId }) => deliveryId),
  );
}
