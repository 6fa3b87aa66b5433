import type { Job } from '@telecine/client';
import type { RefObject } from 'react';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { SelectionBar } from '../ui/floating.tsx';
import { jobsText } from './jobs-action-text.ts';
import type { useJobsAction } from './use-jobs-action.ts';

/**
 * Cancels or retries the selected jobs. Each button shows how many of them it affects. Jobs are deselected after the action, so that a
 * second click does not repeat it.
 */
export function BulkActions({
  jobs,
  isBusy,
  start,
  onDone,
  onClear,
  focusAfter,
}: {
  readonly jobs: readonly Job[];
  /** Whether another action runs. */
  readonly isBusy: boolean;
  readonly start: ReturnType<typeof useJobsAction>['start'];
  readonly onDone: (jobIds: readonly string[]) => void;
  readonly onClear: () => void;
  /** Gets the focus when an action has started, because the buttons disappear with the selection. */
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
    <SelectionBar label="Selected jobs" count={jobs.length} onClear={onClear}>
      {unfinished.length > 0 && (
        <ConfirmButton
          label={`${cancel}…`}
          confirmLabel={cancel}
          closeLabel="Do not cancel"
          focusAfter={focusAfter}
          title={`${cancel}?`}
          variant="plain"
          isDisabled={isBusy}
          // The dialog closes at once, because the page shows the progress.
          action={async () => act('cancel', unfinished)}
        >
          <p>
            {running === 0 ? 'None of them has started.' : `${jobsText(running)} running: the progress so far is lost.`}
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
    </SelectionBar>
  );
}
