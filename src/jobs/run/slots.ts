import type { Lane } from '../../domain/lane.ts';

/** The number of jobs that a worker may claim. */
export interface FreeSlots {
  /** Of both lanes. */
  readonly any: number;
  /** Of the light lane, besides those. */
  readonly light: number;
}

/** The slots that a worker has for light jobs only. */
const RESERVED_SLOTS = 1;

/** At most this many times as many jobs as slots run, so that a slow disk does not pile up finished conversions. */
const MAX_RUNNING_PER_SLOT = 2;

/**
 * Computes the free slots of a worker with `slots` slots for any job. A light job occupies the reserved slot if it can.
 * `converting`: the lanes of the jobs that occupy a slot. `running`: those and the ones that are being published.
 */
export function freeSlots(slots: number, converting: readonly Lane[], running: readonly Lane[]): FreeSlots {
  const ofConverting = remaining(slots, RESERVED_SLOTS, converting);
  const ofRunning = remaining(MAX_RUNNING_PER_SLOT * slots, MAX_RUNNING_PER_SLOT * RESERVED_SLOTS, running);
  return {
    any: Math.max(0, Math.min(ofConverting.any, ofRunning.any)),
    light: Math.min(ofConverting.light, ofRunning.light),
  };
}

function remaining(any: number, light: number, lanes: readonly Lane[]): FreeSlots {
  const reserved = Math.min(light, lanes.filter((lane) => lane === 'light').length);
  return { any: any - (lanes.length - reserved), light: light - reserved };
}
