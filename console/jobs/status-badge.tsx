import type { Job } from '@telecine/client';
import { Status } from '../ui/status.tsx';
import type { Tone } from '../ui/tone.ts';
import { STATUS_NAMES } from './job-names.ts';

const TONES: Readonly<Record<Job['status'], Tone>> = {
  PENDING: 'waiting',
  PROCESSING: 'running',
  COMPLETED: 'good',
  FAILED: 'bad',
  CANCELLED: 'soft',
};

/** The status of a job as a coloured word with an icon. */
export function StatusBadge({ status }: { readonly status: Job['status'] }) {
  return (
    <Status tone={TONES[status]} isMoving={status === 'PROCESSING'}>
      {STATUS_NAMES[status]}
    </Status>
  );
}
