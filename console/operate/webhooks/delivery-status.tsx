import type { Delivery } from '@telecine/client';
import { Status } from '../../ui/status.tsx';
import type { Tone } from '../../ui/tone.ts';
import type { DeliveryState } from './deliveries-query.ts';

const STATES: Readonly<Record<DeliveryState, { readonly name: string; readonly tone: Tone }>> = {
  PENDING: { name: 'Pending', tone: 'waiting' },
  DELIVERED: { name: 'Delivered', tone: 'good' },
  FAILED: { name: 'Failed', tone: 'bad' },
};

/** A delivery that failed at first and is tried again is not one that nobody has tried. The state of the API is `PENDING` for both. */
export function DeliveryStatus({ delivery: { state, attemptCount } }: { readonly delivery: Delivery }) {
  const isRetried = state === 'PENDING' && attemptCount > 0;
  const { name, tone } = isRetried ? ({ name: 'Retrying', tone: 'warn' } as const) : STATES[state];
  return <Status tone={tone}>{name}</Status>;
}
