/** Returns a function that calls `read` once, and again only after the value was garbage-collected. Concurrent calls share one `read`. */
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
