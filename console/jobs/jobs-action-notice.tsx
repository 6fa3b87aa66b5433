import { Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { refusedCount } from './act-on-jobs.ts';
import styles from './bulk-actions.module.css';
import { jobsActionText } from './jobs-action-text.ts';
import type { StartedAction, useJobsAction } from './use-jobs-action.ts';
import { useStoppingJobs } from './use-stopping-jobs.ts';

const NONE: readonly string[] = [];

/** The progress of an action on several jobs, and then its result. */
export function JobsActionNotice({
  action,
  dismiss,
  ref,
}: Omit<ReturnType<typeof useJobsAction>, 'start'> & { readonly ref: RefObject<HTMLDivElement | null> }) {
  const stopping = useStoppingJobs(action?.stopping ?? NONE);
  return (
    <div ref={ref} className={styles.result} tabIndex={-1} role="group" aria-label="Action on jobs">
      {action?.state === 'running' && <Progress action={action} />}
      <div role="status" className={action === undefined || action.state === 'running' ? undefined : styles.notice}>
        {action !== undefined && action.state !== 'running' && (
          <>
            {jobsActionText(action, stopping).map((sentence) => (
              <span key={sentence}>{sentence}</span>
            ))}
            {action.retries !== undefined && <RetriesLink retries={action.retries} />}
            <Button variant="quiet" onClick={dismiss}>
              Dismiss
            </Button>
          </>
        )}
      </div>
      {action?.error !== undefined && <ProblemNotice error={action.error} />}
    </div>
  );
}

function Progress({ action }: { readonly action: StartedAction }) {
  const past = action.done + refusedCount(action);
  return (
    <div className={styles.notice}>
      <label>
        {action.kind === 'retry' ? 'Submitting again' : 'Cancelling'} <progress max={action.count} value={past} />
      </label>
      <span>
        {past.toLocaleString()} of {action.count.toLocaleString()}
      </span>
      <Button onClick={action.stop}>Stop</Button>
    </div>
  );
}

function RetriesLink({ retries: [first, last] }: { readonly retries: readonly [string, string] }) {
  if (first === last)
    return (
      <Link to="/jobs/$jobId" params={{ jobId: first }}>
        Show it
      </Link>
    );
  return (
    <Link to="/jobs" search={{ retries: `${first}..${last}` }}>
      Show them
    </Link>
  );
}
