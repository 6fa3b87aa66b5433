/** Returns a function that reads a value once, and reads it again only after garbage collection. Concurrent calls share one read. */
export function weaklyCached<T extends object>(read: () => Promise<T>): () => Promise<T> {
  let cached: WeakRef<T> | undefined;
  let reading: Promise<T> | undefined;
  return async () => {
    const known = cached?.deref();
    if (known !== undefined) return known;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    const value = await reading;
    cached = new WeakRef(value);
    return value;
  };
}
