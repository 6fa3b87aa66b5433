import { type DeviceType, neededDevice } from '../../domain/devices.ts';
import type { Requirements } from '../../domain/lane.ts';

/** How many jobs may use the devices of each type. */
export type DeviceSessions = ReadonlyMap<DeviceType, number>;

/**
 * Computes how many more jobs may use the devices of each type. `running`: the needs of the jobs that use them. A job uses its
 * device until its conversion has ended.
 */
export function freeSessions(sessions: DeviceSessions, running: Iterable<Requirements['needs']>): DeviceSessions {
  const free = new Map(sessions);
  for (const needs of running) {
    const type = neededDevice(needs);
    if (type !== undefined) free.set(type, (free.get(type) ?? 0) - 1);
  }
  return free;
}
