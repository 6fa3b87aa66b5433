import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import { useState } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import type { MendedJob } from '../workbench/draft.ts';
import { useOpenInWorkbench } from '../workbench/use-open-in-workbench.ts';
import styles from './job-actions.module.css';
import { repeatableRequest } from './job-request.ts';

/** The actions on a job that its state and the scopes of the session allow. */
export function JobActions({ job }: { readonly job: Job }) {
  const navigate = useNavigate();
  const { data: session } = useSession();
  const openInWorkbench = useOpenInWorkbench();
  const [deletesOutputs, setDeletesOutputs] = useState(false);
  const cancel = useMutation({ mutationFn: () => client.cancel(job.jobId) });
  const retry = useMutation({ mutationFn: () => client.retry(job.jobId) });
  // Passed to each call, because these callbacks are not called after the user has left the page.
  const openJob = ({ jobId }: Pick<Job, 'jobId'>): void => void navigate({ to: '/jobs/$jobId', params: { jobId } });
  if (!mayDo(session, 'jobs:write')) return null;
  const count = job.expired ? 0 : (job.outputCount ?? 0);
  const error = cancel.error ?? retry.error;
  return (
    <div className={styles.actions}>
      {job.analysis === undefined && session?.clientId === job.client && (
        <Button
          // What has failed fails again as it is. If the service knows the fix, that button is the main one.
          variant={job.status === 'FAILED' && job.error?.apply === undefined ? 'primary' : 'plain'}
          onClick={() => void openInWorkbench(repeatableRequest(job), { mends: failureOf(job) })}
        >
          Edit and run again
        </Button>
      )}
      {job.links.retry !== undefined && (
        <>
          <Button disabled={retry.isPending} onClick={() => retry.mutate(undefined, { onSuccess: openJob })}>
            Run again
          </Button>
          <ConfirmButton
            label="Delete"
            title="Delete this job?"
            action={() => client.remove(job.jobId, { outputs: deletesOutputs })}
            onDone={() => void navigate({ to: '/jobs' })}
          >
            <p>Its record and its log are deleted permanently.</p>
            {count > 0 && mayDo(session, 'files:write') && (
              <label className={styles.choice}>
                <input
                  type="checkbox"
                  checked={deletesOutputs}
                  onChange={({ currentTarget }) => setDeletesOutputs(currentTarget.checked)}
                />
                Delete its {count === 1 ? 'output' : `${count} outputs`} too
              </label>
            )}
          </ConfirmButton>
        </>
      )}
      {job.links.cancel !== undefined && (
        <Button
          variant="danger"
          disabled={cancel.isPending || job.cancelRequestedAt !== undefined}
          onClick={() => cancel.mutate()}
        >
          {job.cancelRequestedAt === undefined ? 'Cancel' : 'Cancelling…'}
        </Button>
      )}
      {error !== null && <ProblemNotice error={error} />}
    </div>
  );
}

/** What the workbench shows of a failed job. undefined: it did not fail. */
function failureOf({ jobId, status, error }: Job): MendedJob | undefined {
  if (status !== 'FAILED' || error === undefined) return undefined;
  const { message, fix, apply } = error;
  return { jobId, message, ...(fix !== undefined && { fix }), ...(apply !== undefined && { apply }) };
}
