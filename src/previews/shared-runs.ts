/** Runs `work` once for concurrent calls with the same key. Aborts it when all calls are aborted. */
type SharedRuns<T> = (key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;

interface Run<T> {
  readonly result: Promise<T>;
  readonly controller: AbortController;
  calls: number;
}

/** Creates them. They keep no result: a call that comes later runs again. */
export function sharedRuns<T>(): SharedRuns<T> {
  const runs = new Map<string, Run<T>>();

  const start = (key: string, work: (signal: AbortSignal) => Promise<T>): Run<T> => {
    const controller = new AbortController();
    const run: Run<T> = { result: work(controller.signal), controller, calls: 0 };
    runs.set(key, run);
    const forget = (): void => {
      if (runs.get(key) === run) runs.delete(key);
    };
    run.result.then(forget, forget);
    return run;
  };

  return async (key, signal, work) => {
    signal.throwIfAborted();
    const run = runs.get(key) ?? start(key, work);
    run.calls += 1;
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => {
      run.calls -= 1;
      if (run.calls === 0) {
        // A call that comes now must not join a run that ends.
        runs.delete(key);
        run.controller.abort(signal.reason);
      }
      reject(signal.reason);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([run.result, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };
}
