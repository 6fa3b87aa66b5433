import type { ConversionRequest } from '../../../client/api.ts';
import { ClientError } from '../../../client/client-error.ts';
import type { NodeClient } from '../../../client/node/node-client.ts';
import type { RetryBudget } from '../../../client/options.ts';
import { DEFAULT_BUDGET, wasNeverSent, withRetry } from '../../../client/retry.ts';

/** A request that is sent until the service accepts it, always with one key, so that there is never a second job. */
export interface Submission {
  /** Returns the id of the job. Rejects with `ClientError`, or with the reason of the signal. */
  send(signal: AbortSignal): Promise<string>;
  /** Whether the service may have a job that this command does not know: a reply was lost, or is still on its way. */
  readonly mayHaveJob: boolean;
}

/** Each try is sent once, so that `mayHaveJob` is known after each. */
const ONE_TRY: RetryBudget = { busySeconds: 0, unreachableSeconds: 0 };

/** The statuses of a service that is busy or rejects the credentials: this try creates no job. */
const WITHOUT_JOB: ReadonlySet<number | undefined> = new Set([401, 403, 429, 503]);

/** @param budget How long `send` waits in all while the service is busy or unreachable. */
export function createSubmission(
  client: Pick<NodeClient, 'submit'>,
  request: ConversionRequest,
  budget: RetryBudget = DEFAULT_BUDGET,
): Submission {
  const idempotencyKey = crypto.randomUUID();
  let isOpen = false;
  let wasLost = false;
  return {
    get mayHaveJob() {
      return isOpen || wasLost;
    },
    send: (signal) =>
      withRetry({ isRepeatable: true, budget, signal }, async () => {
        isOpen = true;
        try {
          return (await client.submit(request, { idempotencyKey, retries: ONE_TRY, signal })).jobId;
        } catch (error) {
          if (signal.aborted) throw error;
          isOpen = false;
          if (mayHaveCreated(error)) wasLost = true;
          // With its key, the request would have returned the job of an earlier try.
          else if (isFinal(error)) wasLost = false;
          throw error;
        }
      }),
  };
}

/** Whether the service may have created the job although it did not say so. A proxy replies if it gets no reply. */
function mayHaveCreated(error: unknown): boolean {
  if (!(error instanceof ClientError)) return true;
  const { kind, status = 0 } = error;
  return kind === 'rejected' ? status >= 500 && !WITHOUT_JOB.has(status) : !wasNeverSent(error);
}

/** Whether the service has rejected the request itself, and not only this try. */
const isFinal = (error: unknown): boolean =>
  error instanceof ClientError && error.problem !== undefined && !WITHOUT_JOB.has(error.status);
