import { type DeviceType, neededDevice } from '@telecine/contract/domain/devices.ts';
import type { FetchRoom } from '../jobs/ports/job-queue.ts';
import { isFetchQueue, queueRequirements } from './queue-name.ts';

/**
 * Limits how many tickets with a hardware device one call of `take` hands out. `room`: the maximum for each type of
 * device. undefined: no limit.
 */
export function deviceCounts(room: ReadonlyMap<DeviceType, number> | undefined) {
  const left = new Map(room);
  const typeOf = (queue: string): DeviceType | undefined => neededDevice(queueRequirements(queue)?.needs ?? []);
  const isOpen = (queue: string): boolean => {
    const type = typeOf(queue);
    return type === undefined || (left.get(type) ?? 0) > 0;
  };
  return {
    /** Returns the queues that may hand out more tickets. */
    open: (queues: readonly string[]) => (room === undefined ? queues : queues.filter(isOpen)),
    add: (queue: string): void => {
      const type = typeOf(queue);
      if (type !== undefined) left.set(type, (left.get(type) ?? 0) - 1);
    },
  };
}

/** Limits how many tickets of the lane `fetch` one call of `take` hands out. `room`: undefined means no limit. */
export function fetchCounts(room: FetchRoom | undefined) {
  const { free, perClient, ofClients } = room ?? { free: Infinity, perClient: Infinity, ofClients: new Map() };
  const counts = new Map<string, number>(ofClients);
  let left = free;
  return {
    /** Returns the queues that may hand out more tickets. */
    open: (queues: readonly string[]) => (left > 0 ? queues : queues.filter((queue) => !isFetchQueue(queue))),
    /** Returns the clients that may get no more tickets of the lane `fetch`. */
    fullClients: (): readonly string[] =>
      [...counts].flatMap(([clientId, count]) => (count >= perClient ? [clientId] : [])),
    add: (queue: string, clientId: string): void => {
      if (!isFetchQueue(queue)) return;
      left -= 1;
      counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
    },
  };
}
