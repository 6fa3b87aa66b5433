import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ClientError, type Job } from '@telecine/client';
import { useRef, useState } from 'react';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmButton } from '../ui/confirm-button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import styles from './bulk-actions.module.css';

/** Calls for one job each, at the same time. More would only wait in the browser. */
const AT_ONCE = 6;

/**
 * Cancels or repeats the selected jobs whose state allows it, and says how many. What was done leaves the selection, so that a second
 * click repeats nothing. What has ended meanwhile is counted; any other error ends the rest and is shown.
 */
export function BulkActions({
  jobs,
  isPartOfList,
  onDone,
}: {
  readonly jobs: readonly Job[];
  /** Whether the list has more jobs, which were not read yet and are not selected. */
  readonly isPartOfList: boolean;
  readonly onDone: (jobIds: readonly string[]) => void;
}) {
  const group = useRef<HTMLDivElement>(null);
  const [doneCount, setDoneCount] = useState(0);
  const action = useMutation({
    mutationFn: async ({ jobIds, act }: Action) => {
      setDoneCount(0);
      return actOnAll(jobIds, act, setDoneCount);
    },
  });
  const finish = ({ done, refused, error }: Done): void =>
    onDone(error === undefined ? jobs.map(({ jobId }) => jobId) : [...done, ...refused]);
  const { data, variables } = action;
  const cancellable = jobs.filter(({ links }) => links.cancel !== undefined).map(({ jobId }) => jobId);
  const repeatable = jobs.filter(({ links }) => links.retry !== undefined).map(({ jobId }) => jobId);
  return (
    <div ref={group} className={styles.actions} role="group" aria-label="Selected jobs" tabIndex={-1}>
      {jobs.length > 0 && (
        <>
          <span>
            {jobs.length} selected{isPartOfList && ', older ones are not'}
          </span>
          {cancellable.length > 0 && (
            <ConfirmButton
              label={`Cancel ${jobsText(cancellable.length)}`}
              title={`Cancel ${jobsText(cancellable.length)}?`}
              closeLabel="Do not cancel"
              action={() => action.mutateAsync({ verb: 'Cancelled', jobIds: cancellable, act: cancel })}
              onDone={finish}
              focusAfter={group}
            >
              <p>Queued jobs do not start, and running ones stop. Nothing of their outputs is kept.</p>
              {action.isPending && <Progress done={doneCount} of={cancellable.length} />}
            </ConfirmButton>
          )}
          {repeatable.length > 0 && (
            <Button
              disabled={action.isPending}
              onClick={() =>
                action.mutate(
                  { verb: 'Submitted again', jobIds: repeatable, act: retry },
                  {
                    onSuccess: (done) => {
                      finish(done);
                      group.current?.focus();
                    },
                  },
                )
              }
            >
              {action.isPending ? (
                <Progress done={doneCount} of={repeatable.length} />
              ) : (
                `Run ${jobsText(repeatable.length)} again`
              )}
            </Button>
          )}
        </>
      )}
      <span role="status" className={styles.done}>
        {jobs.length === 0 && data !== undefined && variables !== undefined && doneText(variables.verb, data)}
      </span>
      {jobs.length === 0 && data !== undefined && data.done.length > 0 && variables?.verb === 'Submitted again' && (
        <Link to="/jobs" search={({ q }) => (q === undefined ? {} : { q })}>
          Show them
        </Link>
      )}
      {data?.error !== undefined && <ProblemNotice error={data.error} />}
    </div>
  );
}

interface Action {
  readonly verb: 'Cancelled' | 'Submitted again';
  readonly jobIds: readonly string[];
  readonly act: (jobId: string) => Promise<unknown>;
}

const cancel = (jobId: string) => client.cancel(jobId);
const retry = (jobId: string) => client.retry(jobId);

const jobsText = (count: number): string => (count === 1 ? '1 job' : `${count} jobs`);

const Progress = ({ done, of }: { readonly done: number; readonly of: number }) => (
  <span>
    {done} of {of}…
  </span>
);

interface Done {
  readonly done: readonly string[];
  readonly refused: readonly string[];
  /** Why the other jobs were left as they are. */
  readonly error: unknown;
}

const doneText = (verb: string, { done, refused }: Done): string =>
  `${verb}: ${jobsText(done.length)}.${refused.length === 0 ? '' : ` ${refused.length} had another state by then.`}`;

async function actOnAll(
  jobIds: readonly string[],
  act: (jobId: string) => Promise<unknown>,
  onProgress: (count: number) => void,
): Promise<Done> {
  const [done, refused, rest]: [string[], string[], string[]] = [[], [], [...jobIds]];
  let failed: unknown;
  const work = async (): Promise<void> => {
    for (let jobId = rest.pop(); jobId !== undefined && failed === undefined; jobId = rest.pop())
      try {
        await act(jobId);
        done.push(jobId);
        onProgress(done.length);
      } catch (error) {
        if (error instanceof ClientError && (error.status === 409 || error.status === 404)) refused.push(jobId);
        else failed = error;
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, refused, error: failed };
}
