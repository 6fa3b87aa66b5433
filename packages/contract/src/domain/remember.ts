/** Wraps a function so that it remembers the result for each object, as long as the object exists. */
export function rememberEach<K extends object, V>(answer: (about: K) => V): (about: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (about) => {
    const found = known.get(about) ?? { value: answer(about) };
    known.set(about, found);
    return found.value;
  };
}

/**
 * Wraps a function so that it remembers the last result. For checks that ask about the same object several times. A WeakMap would cost half
 * a microsecond for each object.
 */
export function rememberLast<K extends object, V>(answer: (about: K) => V): (about: K) => V {
  let last: { readonly about: K; readonly value: V } | undefined;
  return (about) => {
    if (last?.about !== about) last = { about, value: answer(about) };
    return last.value;
  };
}

/** A function whose callers share one promise. */
export interface SharedPromise<T> {
  (): Promise<T>;
  /** Returns the promise that a caller would share now, so that one can wait for it, or close what was opened. undefined: there is none. */
  readonly started: () => Promise<T> | undefined;
}

/** Wraps a function so that it is called once, by the first caller, and all callers share the result. After a failure, the next caller tries again. */
export function rememberSuccess<T>(create: () => Promise<T>): SharedPromise<T> {
  let promise: Promise<T> | undefined;
  const share = (): Promise<T> => {
    promise ??= create().catch((error: unknown) => {
      promise = undefined;
      throw error;
    });
    return promise;
  };
  return Object.assign(share, { started: () => promise });
}

/** Wraps a function so that its callers share the running call. After its end, the next caller starts another one. */
export function shareRunning<T>(start: () => Promise<T>): SharedPromise<T> {
  let running: Promise<T> | undefined;
  const share = (): Promise<T> => {
    running ??= start().finally(() => {
      running = undefined;
    });
    return running;
  };
  return Object.assign(share, { started: () => running });
}

/**
 * Wraps a function that is created at the first call. Creation loads its code, which most processes never need. After a failure, the next
 * call tries again.
 */
export function lazily<A extends unknown[], R>(
  load: () => Promise<(...args: A) => Promise<R>>,
): (...args: A) => Promise<R> {
  const loaded = rememberSuccess(load);
  return async (...args) => (await loaded())(...args);
}
