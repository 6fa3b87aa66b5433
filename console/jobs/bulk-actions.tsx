import { useMutation } from '@tanstack/react-query';
import { ClientError } from '@telecine/client';
import { client } from '../app/client.ts';
import { Button } from '../ui/button.tsx';
import styles from './bulk-actions.module.css';

/** Calls for one job each, at the same time. More would only wait in the browser. */
const AT_ONCE = 6;

/** Cancels or repeats the selected jobs. What cannot be done to a job, such as cancelling one that has ended, is counted. */
export function BulkActions({ jobIds, onDone }: { readonly jobIds: ReadonlySet<string>; readonly onDone: () => void }) {
  const action = useMutation({
    mutationFn: (act: (jobId: string) => Promise<unknown>) => actOnAll([...jobIds], act),
    onSuccess: onDone,
  });
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
      <span role="status">
        {action.data !== undefined && action.data.refused > 0 && jobIds.size === 0 && refusedText(action.data)}
      </span>
    </div>
  );
}

interface Done {
  readonly done: number;
  readonly refused: number;
}

const refusedText = ({ done, refused }: Done): string =>
  `${done} done; ${refused} could not be, because of their state.`;

/** Rejects if the service cannot be reached or the client may not do this. */
async function actOnAll(jobIds: readonly string[], act: (jobId: string) => Promise<unknown>): Promise<Done> {
  let refused = 0;
  const rest = [...jobIds];
  const work = async (): Promise<void> => {
    for (let jobId = rest.pop(); jobId !== undefined; jobId = rest.pop())
      try {
        await act(jobId);
      } catch (error) {
        if (!(error instanceof ClientError) || (error.status !== 409 && error.status !== 404)) throw error;
        refused += 1;
      }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { done: jobIds.length - refused, refused };
}
