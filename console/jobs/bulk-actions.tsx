import type { Job } from '@telecine/client';
import type { RefObject } from 'react';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import styles from './bulk-actions.module.css';
import { jobsText } from './jobs-action-text.ts';
import type { useJobsAction } from './use-jobs-action.ts';

/**
 * Cancels or repeats the selected jobs. Each button says to how many of them it applies. What was done leaves the selection, so that a
 * second click repeats nothing.
 */
export function BulkActions({
  jobs,
  isBusy,
  start,
  onDone,
  focusAfter,
}: {
  /** The selected ones. */
  readonly jobs: readonly Job[];
  /** Whether another action runs. */
  readonly isBusy: boolean;
  readonly start: ReturnType<typeof useJobsAction>['start'];
  readonly onDone: (jobIds: readonly string[]) => void;
  /** What has the focus when an action has started, because the buttons go with the selection. */
  readonly focusAfter: RefObject<HTMLElement | null>;
}) {
  if (jobs.length === 0) return null;
  const act = (kind: 'cancel' | 'retry', those: readonly Job[]): void => {
    void start(
      kind,
      those.map(({ jobId }) => jobId),
    ).then(onDone);
  };
  const unfinished = jobs.filter(({ links, cancelRequestedAt }) => links.cancel !== undefined && !cancelRequestedAt);
  const finished = jobs.filter(({ links }) => links.retry !== undefined);
  const running = unfinished.filter(({ status }) => status === 'PROCESSING').length;
  const cancel = `Cancel ${jobsText(unfinished.length)}`;
  return (
    <div className={styles.actions} role="group" aria-label="Selected jobs">
      <span>{jobs.length.toLocaleString()} selected</span>
      {unfinished.length > 0 && (
        <ConfirmButton
          label={`${cancel}…`}
          confirmLabel={cancel}
          closeLabel="Do not cancel"
          focusAfter={focusAfter}
          title={`${cancel}?`}
          variant="plain"
          isDisabled={isBusy}
          // The page shows how far it is.
          action={async () => act('cancel', unfinished)}
        >
          <p>
            {running === 0 ? 'None of them has started.' : `${jobsText(running)} running: what was converted is lost.`}
          </p>
          <p>Cancelled jobs can be run again.</p>
        </ConfirmButton>
      )}
      {finished.length > 0 && (
        <Button
          disabled={isBusy}
          onClick={() => {
            act('retry', finished);
            focusAfter.current?.focus();
          }}
        >
          Run {jobsText(finished.length)} again
        </Button>
      )}
    </div>
  );
}
