import type { Job } from '@telecine/client';
import RotateCw from 'lucide-react/icons/rotate-cw';
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

/** The status of a job as a coloured word with an icon. `wasRunAgain`: nobody has to look at its failure, so it does not count as failed. */
export function StatusBadge({
  status,
  wasRunAgain = false,
}: {
  readonly status: Job['status'];
  readonly wasRunAgain?: boolean;
}) {
  if (status === 'FAILED' && wasRunAgain)
    return (
      <Status tone="soft" icon={RotateCw}>
        Was run again
      </Status>
    );
  return (
    <Status tone={TONES[status]} isMoving={status === 'PROCESSING'}>
      {STATUS_NAMES[status]}
    </Status>
  );
}
