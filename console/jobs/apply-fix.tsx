import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Job } from '@telecine/client';
import { client } from '../app/client.ts';
import { mayDo } from '../session/may-do.ts';
import { useSession } from '../session/use-session.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import { applyPatch, type Patch } from '../workbench/apply-patch.ts';
import styles from './apply-fix.module.css';
import { editOfJob } from './edit-of-job.ts';
import { useHasWatch } from './use-has-watch.ts';
import { withKnownRecipe } from './with-known-recipe.ts';

/** A button that runs a failed job again with the changes that the service proposes. Nothing if it proposes none. */
export function ApplyFix({
  job,
  apply = job.error?.apply,
  label = 'Apply this fix and run again',
  isNext = true,
  onStarted,
}: {
  readonly job: Job;
  /** Default: the fix of its error. */
  readonly apply?: Patch | undefined;
  readonly label?: string | undefined;
  /** Whether it is what to do next. */
  readonly isNext?: boolean;
  /** Called with the new job, also if the button has gone meanwhile. Default: opens its page, if the user is still on this one. */
  readonly onStarted?: (jobId: string) => void;
}) {
  const { data: session } = useSession();
  const navigate = useNavigate();
  const edit = editOfJob(job, session, useHasWatch(job));
  const run = useMutation({
    mutationFn: async () => {
      const known = await withKnownRecipe(job, edit?.request ?? {}, edit?.retries?.client !== undefined);
      const request = applyPatch(known, apply ?? []);
      // A watch itself runs the job of its file again, without the fix.
      return edit?.retries === undefined ? client.submit(request) : client.retry(job.jobId, { request });
    },
    onSuccess: ({ jobId }) => onStarted?.(jobId),
  });
  const open = ({ jobId }: Pick<Job, 'jobId'>): void => {
    if (onStarted === undefined) void navigate({ to: '/jobs/$jobId', params: { jobId } });
  };
  if (apply === undefined || job.status !== 'FAILED' || edit === undefined || !mayDo(session, 'jobs:write'))
    return null;
  return (
    <div className={styles.fix}>
      <Button
        variant={isNext ? 'primary' : 'plain'}
        disabled={run.isPending}
        onClick={() => run.mutate(undefined, { onSuccess: open })}
      >
        {label}
      </Button>
      {run.error !== null && <ProblemNotice error={run.error} />}
    </div>
  );
}
