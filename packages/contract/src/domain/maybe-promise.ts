/** A value that is known now, or a promise for it. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Calls `next` with the value: at once if it is known, so that what `next` throws is thrown, else when the promise resolves. For the
 * steps of a submission, which rarely wait: a promise and an `await` for each step would take a tenth of its processor time.
 */
export function whenKnown<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
