import type { Lane, Requirements } from '@telecine/contract/domain/lane.ts';
import type { TakeRequest } from '../jobs/ports/job-queue.ts';

export type QueueKey = Pick<Requirements, 'lane' | 'needs'>;

/**
 * The queues for jobs without needs, which any worker can run. Queues for jobs with needs have the needs in their
 * names.
 */
export const ORDINARY_QUEUE = 'conversions';

export const LIGHT_QUEUE = 'light';

export const FETCH_QUEUE = 'fetch';

const PREFIXES = { full: ORDINARY_QUEUE, light: LIGHT_QUEUE, fetch: FETCH_QUEUE } as const satisfies Record<
  Lane,
  string
>;

const LANES = new Map(Object.entries(PREFIXES).map(([lane, prefix]) => [prefix as string, lane as Lane]));

/**
 * Returns the name of the queue for a lane and needs, in the characters that pg-boss allows. `queueRequirements` is the
 * inverse.
 */
export const queueName = ({ lane, needs }: QueueKey): string => [PREFIXES[lane], ...needs.map(encode)].join('/');

/** Returns the lane and the needs of the tickets in a queue. undefined: the queue does not belong to this service. */
export function queueRequirements(name: string): QueueKey | undefined {
  const [prefix = '', ...needs] = name.split('/');
  const lane = LANES.get(prefix);
  return lane && { lane, needs: needs.map(decode) };
}

export const isFetchQueue = (name: string): boolean => queueRequirements(name)?.lane === 'fetch';

export const queuesFor = (
  { lanes, has }: Pick<TakeRequest, 'lanes' | 'has'>,
  names: readonly string[],
): readonly string[] =>
  names.filter((name) => {
    const requirements = queueRequirements(name);
    return requirements !== undefined && lanes.includes(requirements.lane) && requirements.needs.every(has);
  });

/** Returns for how many seconds after they were queued the tickets of each queue are left to other workers. Queues without such a time are absent. */
export function leaveTimes(
  { leaveFor }: Pick<TakeRequest, 'leaveFor'>,
  queues: readonly string[],
): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  if (leaveFor === undefined) return times;
  for (const queue of queues) {
    const seconds = Math.max(0, ...(queueRequirements(queue)?.needs ?? []).map(leaveFor));
    if (seconds > 0) times.set(queue, seconds);
  }
  return times;
}

/** Encodes a text like percent-encoding, but with `.` instead of `%`. Keeps letters, digits, `_` and `-`. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!'()*~.]/g, (c) => `%${c.charCodeAt(0).toString(16)}`)
    .replaceAll('%', '.');

const decode = (text: string): string => decodeURIComponent(text.replaceAll('.', '%'));
