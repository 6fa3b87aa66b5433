import type { FetchRoom } from '../jobs/ports/job-queue.ts';
import { isFetchQueue } from './queue-name.ts';

/** What one call of `take` may still hand out of the lane `fetch`. */
export interface FetchCounts {
  /** Those of the queues of which more tickets may be handed out. */
  open(queues: readonly string[]): readonly string[];
  /** The clients that get no more tickets of these queues. */
  fullClients(): readonly string[];
  /** Counts a ticket that was handed out. */
  add(queue: string, clientId: string): void;
}

/** Counts from what the worker has. `room`: undefined if it has room for any number. */
export function fetchCounts(room: FetchRoom | undefined): FetchCounts {
  const { free, perClient, ofClients } = room ?? { free: Infinity, perClient: Infinity, ofClients: new Map() };
  const counts = new Map<string, number>(ofClients);
  let left = free;
  return {
    open: (queues) => (left > 0 ? queues : queues.filter((queue) => !isFetchQueue(queue))),
    fullClients: () => [...counts].flatMap(([clientId, count]) => (count >= perClient ? [clientId] : [])),
    add: (queue, clientId) => {
      if (!isFetchQueue(queue)) return;
      left -= 1;
      counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
    },
  };
}
