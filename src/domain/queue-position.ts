import type { ClientLimits } from './client-limits.ts';
import type { ConversionRequest } from './conversion.ts';
import { sendValue } from './edit.ts';
import type { FieldError } from './problem.ts';
import { RANKS_APART } from './states.ts';

/** The bounds of `priority` of a request. */
export const PRIORITY = { min: -10, max: 10, default: 0 } as const;

/**
 * How many jobs of each other client, and of its own, a job overtakes for each level of priority. It bounds how long others
 * wait, so that no priority starves anyone.
 */
export const TURNS_A_LEVEL = 20;

/**
 * The position of a job in the queue: lower ones are first. `turn` is its fairness rank, from which those of later jobs are
 * counted. So jobs with a high priority move forward once, and clients still take turns.
 */
export const queuePositionOf = (turn: number, priority: number): number =>
  turn - priority * TURNS_A_LEVEL * RANKS_APART;

type Request = Pick<ConversionRequest, 'priority'>;
type Limits = Pick<ClientLimits, 'priority'>;

/** The priority of a request without one is lower if the client may not send the default. */
export const priorityOf = ({ priority = PRIORITY.default }: Request, limits: Limits): number =>
  Math.min(priority, highestPriority(limits));

/** The highest priority that a client may send. */
const highestPriority = ({ priority = PRIORITY.max }: Limits): number => priority;

/** The error for a priority above the limit of the client. Undefined if there is none. */
export function priorityError({ priority }: Request, limits: Limits): FieldError | undefined {
  const highest = highestPriority(limits);
  if (priority === undefined || priority <= highest) return undefined;
  return {
    field: '/priority',
    code: 'LIMIT_EXCEEDED',
    message: `"priority" ${priority} is above ${highest}, the highest of this client.`,
    fix: { ...sendValue(highest), or: 'less, or ask the operator for a higher one', isNearest: true },
  };
}
