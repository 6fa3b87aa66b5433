import { setImmediate } from 'node:timers/promises';

/** Resolves in the next turn of the event loop, so that other work can run first. Throws the reason if `signal` is aborted. */
export async function nextTurn(signal?: AbortSignal): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** Yields the items in parts of `size` items. Each part runs in its own turn of the event loop, the first part in the current turn. */
export async function* inSteps<T>(
  items: readonly T[],
  size: number,
  signal?: AbortSignal,
): AsyncGenerator<readonly T[], void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await nextTurn(signal);
    yield items.slice(start, start + size);
  }
}

/** Long work that yields after each short step. */
export type InSteps<T> = Generator<undefined, T>;

/** Runs each step in its own turn of the event loop. Throws the reason if `signal` is aborted. */
export async function runSteps<T>(work: InSteps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await nextTurn(signal);
  }
}

/** A signal that never aborts, for calls that need a signal although nobody can cancel them. */
export const NEVER: AbortSignal = new AbortController().signal;
