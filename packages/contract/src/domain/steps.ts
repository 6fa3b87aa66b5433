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

/**
 * Returns a function to await before each piece of a long work, with the size of the piece. Pieces of up to `size` in all,
 * or one that is larger, run in one turn of the event loop.
 */
export function turnsBySize(size: number): (next: number) => Promise<void> | undefined {
  let taken = 0;
  return (next) => {
    const isFull = taken > 0 && taken + next > size;
    taken = isFull ? next : taken + next;
    return isFull ? nextTurn() : undefined;
  };
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

/** Whether a signal was aborted by `AbortSignal.timeout`, and not because a caller has disconnected. `reason`: that of the abort. */
export const isTimeout = (reason: unknown): boolean => reason instanceof DOMException && reason.name === 'TimeoutError';
