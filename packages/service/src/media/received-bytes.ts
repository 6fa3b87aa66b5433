/**
 * Calls `add` with each chunk of `bytes`. If the source fails, returns its error, so that the caller can keep what has
 * arrived. Throws an error of `add`.
 */
export async function eachReceived(
  bytes: AsyncIterable<Uint8Array>,
  add: (chunk: Uint8Array) => void | Promise<void>,
): Promise<{ readonly error: unknown } | undefined> {
  const chunks = bytes[Symbol.asyncIterator]();
  for (;;) {
    const next = await chunks.next().catch((error: unknown) => ({ error }));
    if ('error' in next) return next;
    if (next.done === true) return undefined;
    try {
      await add(next.value);
    } catch (error) {
      await chunks.return?.().catch(() => undefined);
      throw error;
    }
  }
}
