import { useState } from 'react';
import { JobLink } from '../jobs/job-link.tsx';
import { Button } from '../ui/button.tsx';
import { forgetOpened, readOpened } from './opened-job.ts';
import styles from './opened-notice.module.css';
import { useDraft } from './use-draft.tsx';

/**
 * Says that the draft is the request of a job, and why this job failed. Offers to go back to the draft that it has
 * replaced.
 */
export function OpenedNotice({ clientId }: { readonly clientId: string }) {
  const { change } = useDraft();
  const [opened, setOpened] = useState(() => readOpened(clientId));
  if (opened?.job === undefined && opened?.replaced === undefined) return null;
  const { job, replaced } = opened;
  const close = (): void => {
    forgetOpened(clientId);
    setOpened(undefined);
  };
  return (
    <div
      className={styles.notice}
      role="group"
      aria-label="Where this draft comes from"
      data-failed={job?.error !== undefined}
    >
      <div className={styles.text}>
        {job !== undefined && (
          <p>
            This is the request of <JobLink jobId={job.jobId} />
            {job.error === undefined ? '.' : ', which failed:'}
          </p>
        )}
        {job === undefined && <p>Another request has replaced your draft.</p>}
        {job?.error !== undefined && (
          <p>
            {job.error.message} {job.error.fix !== undefined && <strong>{job.error.fix}</strong>}
          </p>
        )}
      </div>
      {replaced !== undefined && (
        <Button
          onClick={() => {
            change({ do: 'restore', draft: replaced });
            close();
          }}
        >
          Back to my draft
        </Button>
      )}
      <Button variant="quiet" onClick={close}>
        Dismiss
      </Button>
    </div>
  );
}
