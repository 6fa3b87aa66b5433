import pLimit from 'p-limit';

/** Concurrent uploads of files for one job. */
export const FILES_AT_ONCE = 16;

/**
 * Concurrent requests without content for one job. They mostly wait: some servers send a reply in two packets, and the
 * second waits for an acknowledgement that Linux delays by 40 ms.
 */
const REQUESTS_AT_ONCE = 64;

/** Runs `work` for all items, `atOnce` at a time. After an error, starts no more, and rejects when all have ended. */
export async function all<T>(
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
