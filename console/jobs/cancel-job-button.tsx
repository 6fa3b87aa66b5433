import type { Job } from '@telecine/client';
import type { ReactNode } from 'react';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { outputText } from './job-names.ts';

/** Cancels a job. Asks first if that cannot be undone: the job runs, or belongs to another client. */
export function CancelJobButton({
  job,
  onCancel,
  isDisabled,
  variant = 'plain',
  icon,
}: {
  readonly job: Job;
  readonly onCancel: () => void;
  readonly isDisabled: boolean;
  readonly variant?: 'plain' | 'danger';
  readonly icon?: ReactNode;
}) {
  const { data: session } = useSession();
  const isOther = session?.clientId !== job.client;
  const isRunning = job.status === 'PROCESSING';
  if (job.cancelRequestedAt !== undefined)
    return (
      <Button variant={variant} disabled>
        {icon}Cancelling…
      </Button>
    );
  if (!isRunning && !isOther)
    return (
      <Button variant={variant} disabled={isDisabled} onClick={onCancel}>
        {icon}Cancel
      </Button>
    );
  return (
    <ConfirmButton
      label="Cancel"
      confirmLabel="Cancel the job"
      closeLabel="Do not cancel"
      title={`Cancel ${outputText(job) || job.jobId}?`}
      variant={variant}
      icon={icon}
      isDisabled={isDisabled}
      // The dialog closes at once, because the page shows the progress.
      action={async () => onCancel()}
    >
      <p>
        {isOther && `The job belongs to the client ${job.client}. `}
        {isRunning ? 'It is running: the progress so far is lost.' : 'It has not started.'}
      </p>
      <p>A cancelled job can be run again.</p>
    </ConfirmButton>
  );
}
