import type { ClientLimits } from './client-limits.ts';
import type { ConversionRequest } from './conversion.ts';
import type { FieldError } from './problem.ts';

export const PRIORITY = { min: -10, max: 10, default: 0 } as const;

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
    nearest: { bound: highest, others: 'less' },
  };
}
