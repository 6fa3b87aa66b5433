import { type DeviceType, neededDevice } from '../domain/devices.ts';
import type { FetchRoom } from '../jobs/ports/job-queue.ts';
import { isFetchQueue, queueRequirements } from './queue-name.ts';

/** The tickets with a hardware device that one call of `take` may still hand out. */
interface DeviceCounts {
  /** Filters the queues that may hand out more tickets. */
  open(queues: readonly string[]): readonly string[];
  add(queue: string): void;
}

/** @param room How many tickets may be handed out for each type of device. undefined: any number. */
export function deviceCounts(room: ReadonlyMap<DeviceType, number> | undefined): DeviceCounts {
  const left = new Map(room);
  const typeOf = (queue: string): DeviceType | undefined => neededDevice(queueRequirements(queue)?.needs ?? []);
  const isOpen = (queue: string): boolean => {
    const type = typeOf(queue);
    return type === undefined || (left.get(type) ?? 0) > 0;
  };
  return {
    open: (queues) => (room === undefined ? queues : queues.filter(isOpen)),
    add: (queue) => {
      const type = typeOf(queue);
      if (type !== undefined) left.set(type, (left.get(type) ?? 0) - 1);
    },
  };
}

/** The tickets of the lane `fetch` that one call of `take` may still hand out. */
interface FetchCounts {
  /** Filters the queues that may hand out more tickets. */
  open(queues: readonly string[]): readonly string[];
  /** The clients that get no more tickets of these queues. */
  fullClients(): readonly string[];
  add(queue: string, clientId: string): void;
}

/** `room`: undefined for any number. */
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
