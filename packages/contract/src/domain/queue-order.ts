import type { ClientLimits } from './client-limits.ts';
import type { ConversionRequest } from './conversion.ts';
import { sendValue } from './edit.ts';
import type { FieldError } from './problem.ts';

export const PRIORITY = { min: -10, max: 10, default: 0 } as const;

/**
 * The distance between the fairness ranks of consecutive jobs of one client. It is 2, so that the first job of another client gets a rank
 * in between. If ranks are equal, the older ticket is first.
 */
export const RANKS_APART = 2;

/** How many jobs of each client a job overtakes for each level of priority. The number is limited, so that no client is starved. */
export const JOBS_PER_LEVEL = 20;

/** The position of a job in the queue. Lower positions run first. Priorities do not change fairness ranks, so clients still take turns. */
export const queuePositionOf = (fairnessRank: number, priority: number): number =>
  fairnessRank - priority * JOBS_PER_LEVEL * RANKS_APART;

type Request = Pick<ConversionRequest, 'priority'>;
type Limits = Pick<ClientLimits, 'priority'>;

/** The priority of a request. Default: `PRIORITY.default`, or the highest priority that the client may send, if that is lower. */
export const priorityOf = ({ priority = PRIORITY.default }: Request, limits: Limits): number =>
  Math.min(priority, highestPriority(limits));

const highestPriority = ({ priority = PRIORITY.max }: Limits): number => priority;

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
