import type { Delivery } from '@telecine/client';
import { formatDuration } from '../../ui/format.ts';

type Attempt = Delivery['attempts'][number];

/** The result of an attempt: why it failed, or the status of the reply. */
export const resultText = ({ error, status, seconds }: Attempt): string =>
  error ?? `${status} in ${formatDuration(seconds)}.`;

/** Why the latest failed attempt failed. `deliveries`: the newest first. undefined: none of them has a failed attempt. */
export function lastFailure(deliveries: readonly Pick<Delivery, 'attempts'>[]): string | undefined {
  const failed = deliveries
    .map(({ attempts }) => attempts.at(-1))
    .filter((attempt) => attempt?.error !== undefined)
    .toSorted((a, b) => (String(a?.at) < String(b?.at) ? 1 : -1));
  return failed[0] && resultText(failed[0]);
}
