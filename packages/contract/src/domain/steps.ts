import { setImmediate } from 'node:timers/promises';

/** Resolves in the next turn of the event loop: others have theirs before. Throws the reason of an abort of `signal`. */
export async function nextTurn(signal?: AbortSignal): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** The items, `size` at a time, each part in a turn of the event loop of its own. The first part runs in the current turn. */
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

/** Does each step in a turn of the event loop of its own. Throws the reason of an abort of `signal`. */
export async function runSteps<T>(work: InSteps<T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    await nextTurn(signal);
  }
}
