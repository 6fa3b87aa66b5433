import type { DeviceType, WorkerDevice } from '../../domain/devices.ts';
import type { DeviceAccess } from '../sandbox/device-access.ts';
import type { AllowedDevice } from './device-files.ts';
import type { TriedDevice } from './try-device.ts';

/** A device that works on this machine. */
export interface OpenDevice extends AllowedDevice, TriedDevice {}

/** A device that the operator allows and that does not work, with the reason. */
export interface FailedDevice extends AllowedDevice {
  readonly reason: string;
  readonly fix: string;
}

/** The devices of this machine. */
export interface Devices {
  /** As other processes see them. */
  readonly list: readonly WorkerDevice[];
  readonly failed: readonly FailedDevice[];
  /**
   * Hands out a device that has these abilities, of several the one that the fewest conversions use. undefined if none has
   * them all. The worker claims no more jobs than the devices have sessions.
   */
  take(abilities: readonly string[]): TakenDevice | undefined;
}

/** A device in use. */
export interface TakenDevice {
  readonly access: DeviceAccess;
  /** To be called once the conversion no longer uses it. */
  release(): void;
}

/** @param sessions How many conversions use one device at the same time. */
export function devicePool(open: readonly OpenDevice[], failed: readonly FailedDevice[], sessions: number): Devices {
  const users = new Map(open.map((device) => [device, 0]));
  const change = (device: OpenDevice, by: 1 | -1): void => {
    users.set(device, (users.get(device) ?? 0) + by);
  };
  return {
    list: open.map(({ type, encoders }) => ({ type, encoders, sessions })),
    failed,
    take: (abilities) => {
      const able = open.filter(({ type, encoders }) =>
        abilities.every((one) => one === type || encoders.includes(one)),
      );
      const [device] = able.toSorted((a, b) => (users.get(a) ?? 0) - (users.get(b) ?? 0));
      if (device === undefined) return undefined;
      change(device, 1);
      return { access: device.access, release: () => change(device, -1) };
    },
  };
}

/** How many conversions the devices of each type run at the same time. */
export const sessionsByType = (devices: readonly WorkerDevice[]): ReadonlyMap<DeviceType, number> => {
  const sessions = new Map<DeviceType, number>();
  for (const { type, sessions: own } of devices) sessions.set(type, (sessions.get(type) ?? 0) + own);
  return sessions;
};
