import { type DeviceType, neededDevice } from '@telecine/contract/domain/devices.ts';
import type { FetchRoom } from '../jobs/ports/job-queue.ts';
import { isFetchQueue, queueRequirements } from './queue-name.ts';

/** Counts the tickets with a hardware device in one call of `take`. `room`: the most for each type; undefined: any number. */
export function deviceCounts(room: ReadonlyMap<DeviceType, number> | undefined) {
  const left = new Map(room);
  const typeOf = (queue: string): DeviceType | undefined => neededDevice(queueRequirements(queue)?.needs ?? []);
  const isOpen = (queue: string): boolean => {
    const type = typeOf(queue);
    return type === undefined || (left.get(type) ?? 0) > 0;
  };
  return {
    /** Filters the queues that may hand out more tickets. */
    open: (queues: readonly string[]) => (room === undefined ? queues : queues.filter(isOpen)),
    add: (queue: string): void => {
      const type = typeOf(queue);
      if (type !== undefined) left.set(type, (left.get(type) ?? 0) - 1);
    },
  };
}

/** Counts the tickets of the lane `fetch` in one call of `take`. `room`: undefined for any number. */
export function fetchCounts(room: FetchRoom | undefined) {
  const { free, perClient, ofClients } = room ?? { free: Infinity, perClient: Infinity, ofClients: new Map() };
  const counts = new Map<string, number>(ofClients);
  let left = free;
  return {
    /** Filters the queues that may hand out more tickets. */
    open: (queues: readonly string[]) => (left > 0 ? queues : queues.filter((queue) => !isFetchQueue(queue))),
    /** The clients that get no more tickets of these queues. */
    fullClients: (): readonly string[] =>
      [...counts].flatMap(([clientId, count]) => (count >= perClient ? [clientId] : [])),
    add: (queue: string, clientId: string): void => {
      if (!isFetchQueue(queue)) return;
      left -= 1;
      counts.set(clientId, (counts.get(clientId) ?? 0) + 1);
    },
  };
}
