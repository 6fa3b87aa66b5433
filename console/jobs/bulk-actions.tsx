import { useMutation } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import { ProblemNotice } from '../ui/problem-notice.tsx';
import styles from './bulk-actions.module.css';

/** Calls for one job each, at the same time. More would only wait in the browser. */
const AT_ONCE = 6;

/**
 * Cancels or repeats the selected jobs. What was done leaves the selection, so that a second click repeats nothing. What cannot be done
 * to a job, such as cancelling one that has ended, is counted; any other error ends the rest and is shown.
 */
export function BulkActions({
  jobIds,
  onDone,
}: {
  readonly jobIds: ReadonlySet<string>;
  readonly onDone: (jobIds: readonly string[]) => void;
}) {
  const action = useMutation({
    mutationFn: (act: (jobId: string) => Promise<unknown>) => actOnAll([...jobIds], act),
    onSuccess: ({ done, refused }) => onDone([...done, ...refused]),
  });
  const { data } = action;
  return (
    <div className={styles.actions} role="group" aria-label="Selected jobs">
      {jobIds.size > 0 && (
        <>
          <span>{jobIds.size} selected</span>
          <Button disabled={action.isPending} onClick={() => action.mutate((jobId) => client.cancel(jobId))}>
            Cancel
          </Button>
          <Button disabled={action.isPending} onClick={() => action.mutate((jobId) => client.retry(jobId))}>
            Run again
          </Button>
        </>
      )}
      <span role="status">{data !== undefined && data.refused.length > 0 && refusedText(data)}</span>
      {data?.error !== undefined && <ProblemNotice error={data.error} />}
    </div>
  );
}

interface Done {
  readonly done: readonly string[];
  readonly refused: readonly string[];
  /** Why the other jobs were left as they are. */
  readonly error: unknown;
}

const refusedText = ({ done, refused }: Done): string =>
  `${done.length} done; ${refused.length} could not be, because of their state.`;

async function actOnAll(jobIds: readonly string[], act: (jobId: string) => Promise<unknown>): Promise<Done> {
  const [done, refused, rest]: [string[], string[], string[]] = [[], [], [...jobIds]];
  let failed: unknown;
  const work = async (): Promise<void> => {
    for (let jobId = rest.pop(); jobId !== undefined && failed === undefined; jobId = rest.pop())
      try {
        await act(jobId);
        done.push(jobId);
      } catch (error) {
        if (error instanceof ClientError && (error.status === 409 || error.status === 404)) refused.push(jobId);
        else failed = error;
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done, refused, error: failed };
}
