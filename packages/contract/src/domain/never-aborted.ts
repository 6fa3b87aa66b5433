/** A signal that never aborts, for calls that need a signal although nobody can cancel them. */
export const NEVER: AbortSignal = new AbortController().signal;
