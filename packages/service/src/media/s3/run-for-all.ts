import pLimit from 'p-limit';

/** The maximum number of files that one job uploads at the same time. */
export const FILES_AT_ONCE = 16;

/**
 * The maximum number of requests without a body that run at the same time for one job. They mostly wait for the
 * network. (Some servers send a reply in two packets. They send the second packet only after Linux has acknowledged the
 * first one, which Linux delays by 40 ms.)
 */
const REQUESTS_AT_ONCE = 64;

/**
 * Runs `work` for all items, at most `atOnce` at a time. After an error, starts no more items, waits for the running
 * ones, and then rejects.
 */
export async function runForAll<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
  atOnce = REQUESTS_AT_ONCE,
): Promise<void> {
  const limit = pLimit(atOnce);
  let failed = false;
  const results = await Promise.allSettled(
    items.map((item, index) =>
      limit(async () => {
        if (failed) return;
        try {
          await work(item, index);
        } catch (error) {
          failed = true;
          throw error;
        }
      }),
    ),
  );
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
