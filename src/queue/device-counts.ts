import { type DeviceType, neededDevice } from '../domain/devices.ts';
import { queueRequirements } from './queue-name.ts';

/** What one call of `take` may still hand out of the jobs that need a hardware device. */
export interface DeviceCounts {
  /** Those of the queues of which more tickets may be handed out. */
  open(queues: readonly string[]): readonly string[];
  /** Counts a ticket that was handed out. */
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
