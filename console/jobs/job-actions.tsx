import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import Pencil from 'lucide-react/icons/pencil';
import RotateCw from 'lucide-react/icons/rotate-cw';
import Trash2 from 'lucide-react/icons/trash-2';
import { type ReactNode, useState } from 'react';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { Menu } from '../ui/menu.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { type Patch, patchText } from '../workbench/apply-patch.ts';
import { CancelJobButton } from './cancel-job-button.tsx';
import { editLabel } from './edit-of-job.ts';
import styles from './job-actions.module.css';
import { useEditJob } from './use-edit-job.ts';

/** The actions on a job without a result. Those that a failed job needs are at its error. */
export function JobActions({ job }: { readonly job: Job }) {
  const { data: session } = useSession();
  const cancel = useMutation({ mutationFn: () => client.cancel(job.jobId) });
  const retry = useRetry(job);
  if (!mayDo(session, 'jobs:write')) return null;
  const error = cancel.error ?? retry.error;
  return (
    <div className={styles.actions}>
      {job.links.cancel !== undefined && (
        <CancelJobButton job={job} variant="danger" isDisabled={cancel.isPending} onCancel={() => cancel.mutate()} />
      )}
      {job.status === 'CANCELLED' && <RetryButton retry={retry} />}
      {job.status !== 'FAILED' && <EditButton job={job} />}
      {job.links.retry !== undefined && (
        <Menu label={MENU}>
          {job.status === 'COMPLETED' && <RetryButton retry={retry} />}
          <DeleteButton job={job} />
        </Menu>
      )}
      {error !== null && <ProblemNotice error={error} />}
    </div>
  );
}

const MENU = 'More for this job';

/** The actions on a completed job, in the menu of its result. `children`: those on the result, which come first. */
export function ResultMenu({ job, children }: { readonly job: Job; readonly children: ReactNode }) {
  const { data: session } = useSession();
  const retry = useRetry(job);
  const edit = useEditJob(job);
  if (!mayDo(session, 'jobs:write')) return null;
  const error = retry.error ?? edit?.error ?? null;
  return (
    <>
      <Menu label={MENU} variant="quiet">
        {edit !== undefined && (
          <Button disabled={edit.isPending} onClick={() => edit.open()}>
            <Pencil /> Edit and run again
          </Button>
        )}
        {children}
        {job.links.retry !== undefined && (
          <>
            <RetryButton retry={retry} />
            <DeleteButton job={job} />
          </>
        )}
      </Menu>
      {error !== null && <ProblemNotice error={error} />}
    </>
  );
}

function DeleteButton({ job }: { readonly job: Job }) {
  const navigate = useNavigate();
  const { data: session } = useSession();
  const [deletesOutputs, setDeletesOutputs] = useState(false);
  const count = job.expired ? 0 : (job.outputCount ?? 0);
  return (
    <ConfirmButton
      label="Delete"
      icon={<Trash2 />}
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
  );
}

/** What to do about a failed job, below its error. `isNext`: whether that is what to do next. */
export function RepairActions({ job, isNext }: { readonly job: Job; readonly isNext: boolean }) {
  const { data: session } = useSession();
  const retry = useRetry(job);
  if (!mayDo(session, 'jobs:write')) return null;
  return (
    <div className={styles.actions}>
      {/* What has failed fails again as it is. */}
      <EditButton job={job} isNext={isNext} />
      {job.links.retry !== undefined && <RetryButton retry={retry} label="Run again unchanged" />}
      {retry.error !== null && <ProblemNotice error={retry.error} />}
    </div>
  );
}

/** Opens the request of a job in the workbench. Nothing if the user cannot run the job again with changes. */
export function EditButton({
  job,
  isNext = false,
  apply,
}: {
  readonly job: Job;
  readonly isNext?: boolean;
  /** A change that the service proposes. */
  readonly apply?: Patch | undefined;
}) {
  const edit = useEditJob(job);
  if (edit === undefined) return null;
  return (
    <>
      <Button
        variant={isNext ? 'primary' : 'plain'}
        aria-label={apply && `Edit: ${patchText(apply)}`}
        title={job.completedAt === undefined ? 'Opens the request in the workbench. This job goes on.' : undefined}
        disabled={edit.isPending}
        onClick={() => edit.open(apply)}
      >
        {apply === undefined ? editLabel(job) : patchText(apply)}
      </Button>
      {edit.error !== null && <ProblemNotice error={edit.error} />}
    </>
  );
}

/** Runs a job again as it is, and opens the page of the new job, if the user is still on this one. */
function useRetry({ jobId }: Job) {
  const navigate = useNavigate();
  const { mutate, isPending, error } = useMutation({ mutationFn: () => client.retry(jobId) });
  // Passed to the call, because this callback is not called after the user has left the page.
  const onSuccess = (started: Pick<Job, 'jobId'>): void =>
    void navigate({ to: '/jobs/$jobId', params: { jobId: started.jobId } });
  return { run: () => mutate(undefined, { onSuccess }), isPending, error };
}

const RetryButton = ({
  retry,
  label = 'Run again',
}: {
  readonly retry: ReturnType<typeof useRetry>;
  readonly label?: string;
}) => (
  <Button disabled={retry.isPending} onClick={retry.run}>
    <RotateCw /> {label}
  </Button>
);
