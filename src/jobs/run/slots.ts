import { type Lane, ONE_SLOT } from '../../domain/lane.ts';

/** Room for jobs that a worker may claim, in hundredths of a slot. */
export interface FreeRoom {
  /** For jobs of both lanes. */
  readonly any: number;
  /** For light jobs, besides that. */
  readonly light: number;
}

/** What a running job uses of its worker. */
export interface RunningWork {
  readonly lane: Lane;
  /** In hundredths of a slot. */
  readonly weight: number;
  /** Whether a light job has run for longer than light jobs do: its estimate was wrong. */
  readonly isOverdue: boolean;
}

/** The room of a worker that only light jobs get. */
const LIGHT_ROOM = ONE_SLOT;

/** The room for overdue jobs, which then leave the room for light jobs to others. It bounds what wrong estimates cost. */
const OVERDUE_ROOM = ONE_SLOT;

/** At most this many times as many jobs as fit run, so that a slow disk does not pile up finished conversions. */
const MAX_RUNNING = 2;

/** The seconds after which a light job is overdue. */
export const LIGHT_SECONDS = 30;

/** The weight of the heaviest job on a worker with `slots` slots: a heavier one counts as all of them. */
export const heaviestOf = (slots: number): number => slots * ONE_SLOT;

/**
 * Computes the free room of a worker with `slots` slots for any job. A light job uses the room for light jobs if it fits.
 * `converting`: the jobs that occupy a slot. `running`: those and the ones that are being published.
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
 * Whether light jobs may use free slots before the next job, which weighs `next` and does not fit: it would not fit without them
 * either. So they delay it only by what is left of them when the last of the other jobs before it has ended.
 */
export function mayPass(slots: number, converting: readonly RunningWork[], next: number): boolean {
  const others = converting.filter(({ lane }) => lane !== 'light');
  return remaining(slots, 1, others).any < Math.min(next, heaviestOf(slots));
}

/** What is left of `times` the room of a worker. */
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

/** The slots that jobs of each lane use on a worker with `slots` slots. */
export function usedSlots(slots: number, jobs: readonly RunningWork[]): Readonly<Record<Lane, number>> {
  const used = { full: 0, light: 0, fetch: 0 };
  for (const { lane, weight } of jobs) used[lane] += Math.min(weight, heaviestOf(slots)) / ONE_SLOT;
  return used;
}
