import type { Queue } from '@telecine/client';
import { countText } from '../../ui/format.ts';

/** The number of slots beside the number of running jobs: `of 2 slots`. */
export const slotsText = (total: number): string => `of ${countText(total, 'slot')}`;

/** Says why queued jobs do not run now, and what changes that. Returns undefined if no job is queued. */
export function waitReason({
  pausedAt,
  queued,
  slots,
}: Pick<Queue, 'pausedAt' | 'queued' | 'slots'>): string | undefined {
  if (queued.length === 0) return undefined;
  if (pausedAt !== undefined) return 'Queued jobs do not start, because the queue is paused.';
  const { total, used } = slots;
  if (total === 0)
    return 'Queued jobs do not start, because no worker takes jobs. Start a worker, or resume a drained one.';
  if (used >= total)
    return `Queued jobs wait for a slot: ${total === 1 ? 'the only slot is' : `all ${total.toLocaleString()} slots are`} in use. More slots: raise TELECINE_CONCURRENCY, or start another worker.`;
  return 'Not all slots are in use. A queued job starts within seconds, unless it needs more than the free slots or a worker with other encoders or devices, or its client has reached its limit "running".';
}
