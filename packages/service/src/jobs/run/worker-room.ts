import type { ClientLimitChanges } from '@telecine/contract/domain/client-limits.ts';
import { type DeviceType, neededDevice } from '@telecine/contract/domain/devices.ts';
import { type Lane, ONE_SLOT, type Requirements } from '@telecine/contract/domain/lane.ts';
import type { TakeRequest } from '../ports/job-queue.ts';

/** The free room of a worker for more jobs, in hundredths of a slot. */
export interface FreeRoom {
  /** The room for jobs of any lane. */
  readonly any: number;
  /** The additional room that only light jobs can use. */
  readonly light: number;
}

export interface RunningWork {
  readonly lane: Lane;
  /** The weight of the job, in hundredths of a slot. */
  readonly weight: number;
  /** true: a light job that has run for longer than `LIGHT_SECONDS`, so that its estimate was wrong. */
  readonly isOverdue: boolean;
}

/** The room of a worker that only light jobs can use, besides its slots. */
const LIGHT_ROOM = ONE_SLOT;

/**
 * The room for overdue light jobs. They use it instead of the room for light jobs, so that wrong estimates do not block
 * other light jobs.
 */
const OVERDUE_ROOM = ONE_SLOT;

/**
 * The weight of all running jobs, including jobs that publish, is at most this factor times the slots. Otherwise,
 * finished conversions would pile up before a slow disk.
 */
const MAX_RUNNING = 2;

/** A light job is overdue after this time, in seconds. */
export const LIGHT_SECONDS = 30;

/** Returns the maximum weight that counts for one job on a worker with `slots` slots: all its slots. */
export const heaviestOf = (slots: number): number => slots * ONE_SLOT;

/**
 * Computes the free room of a worker. Light jobs use the room for light jobs first. `converting`: the jobs that have a
 * slot. `running`: all running jobs, including those that publish.
 */
export function freeRoom(slots: number, converting: readonly RunningWork[], running: readonly RunningWork[]): FreeRoom {
  const ofConverting = remaining(slots, 1, converting);
  const ofRunning = remaining(slots, MAX_RUNNING, running);
  return {
    any: Math.max(0, Math.min(ofConverting.any, ofRunning.any)),
    light: Math.min(ofConverting.light, ofRunning.light),
  };
}

/**
 * Returns whether light jobs may use the free slots before the next job: they may if the next job would not fit even
 * without the running light jobs. `next`: the weight of the next job.
 */
export function mayPass(slots: number, converting: readonly RunningWork[], next: number): boolean {
  const others = converting.filter(({ lane }) => lane !== 'light');
  return remaining(slots, 1, others).any < Math.min(next, heaviestOf(slots));
}

function remaining(slots: number, times: number, jobs: readonly RunningWork[]): FreeRoom {
  const heaviest = heaviestOf(slots);
  let any = times * heaviest;
  let light = times * LIGHT_ROOM;
  let overdue = OVERDUE_ROOM;
  for (const { lane, weight, isOverdue } of jobs) {
    if (lane === 'light' && isOverdue && weight <= overdue) overdue -= weight;
    else if (lane === 'light' && weight <= light) light -= weight;
    else any -= Math.min(weight, heaviest);
  }
  return { any, light };
}

/** For each type of hardware device, how many jobs may use it at the same time. */
export type DeviceSessions = ReadonlyMap<DeviceType, number>;

/**
 * Computes how many more jobs may use each type of device. `running`: the needs of each job that uses a device or will
 * use it.
 */
export function freeSessions(sessions: DeviceSessions, running: Iterable<Requirements['needs']>): DeviceSessions {
  const free = new Map(sessions);
  for (const needs of running) {
    const type = neededDevice(needs);
    if (type !== undefined) free.set(type, (free.get(type) ?? 0) - 1);
  }
  return free;
}

/** How many jobs each client may run at a time. */
export type ClientSlotLimits = Required<Pick<TakeRequest, 'perClient' | 'ofClients'>>;

/**
 * Reads how many jobs each client may run at a time. Workers call this at each claim, so the result is cached for
 * `MAX_AGE_MS`.
 */
export type ClientSlots = () => Promise<ClientSlotLimits>;

/** How long the limits are cached. A changed limit of a client takes effect after this time. */
const MAX_AGE_MS = 1000;

/**
 * Creates the function that reads the limits. `running`: the limit of clients that have no limit of their own. Default:
 * no limit. `listLimited`: reads the clients that have one.
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

export interface JobSlot {
  /** Waits for a slot, in which the conversion may start. Rejects with the reason of `signal`. */
  take(signal: AbortSignal): Promise<void>;
  /**
   * Waits for a turn on the processors. Resolves when a prepared ffmpeg may start. `ended` settles when that ffmpeg has
   * ended.
   */
  waitForTurn(ended: Promise<unknown>): Promise<void>;
  /**
   * Begins to measure how many cores the other jobs of this worker use. Returns a function that returns the average since
   * then. Absent: this is not measured.
   */
  watchOthers?(): () => number;
  release(): void;
}
