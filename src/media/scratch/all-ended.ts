/**
 * Like `Promise.all`, but settles once all have ended; then throws the reason of the first in the list that failed. For calls with
 * paths of open folders, which are closed afterwards: one that has not ended would reach the file or folder that is opened next.
 */
export async function allEnded<T>(values: readonly (T | Promise<T>)[]): Promise<T[]> {
  const results = await Promise.allSettled(values);
  return results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value as T;
  });
}
