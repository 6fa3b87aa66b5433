/** A value, or a promise for the value. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Calls `next` with the value. If the value is not a promise, calls `next` at once and throws what `next` throws. A submission has many
 * steps that rarely wait; a promise and an `await` for each step would take a tenth of its processor time.
 */
export function whenKnown<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}
