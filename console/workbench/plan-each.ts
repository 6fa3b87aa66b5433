import { ClientError } from '@telecine/client';

/** How many requests are planned at the same time. The check of the shown one must not wait for the others. */
const AT_ONCE = 2;

/** Whether an error is about the request. Others, such as a limit that is reached, are about the service. */
export const isOfRequest = (error: Error | null): boolean => error instanceof ClientError && error.errors.length > 0;

/**
 * Plans several requests, a few at the same time. Goes on after an error of a request. Begins no further plan after another error, because the
 * service is busy or cannot be reached, and after `signal` is aborted.
 */
export async function planEach(plans: readonly (() => Promise<unknown>)[], signal: AbortSignal): Promise<void> {
  let left = plans;
  const planNext = async (): Promise<void> => {
    for (let [first] = left; first !== undefined && !signal.aborted; [first] = left) {
      left = left.slice(1);
      await first().catch((error: Error) => {
        if (!isOfRequest(error)) left = [];
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, planNext));
}
