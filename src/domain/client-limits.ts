/**
 * What one conversion of a client may take. The names are those that an operator writes; one that is left out is not
 * limited. A plain value, frozen: a job runs under the one that its client has when it starts.
 */
export interface ClientLimits {
  /** Bytes of all inputs together. */
  readonly input?: number;
  /** Bytes of one file that is written; the kernel holds it. */
  readonly output?: number;
  /** Bytes of all files that are written, notes of a first pass included. */
  readonly scratch?: number;
  /** Files that are written. */
  readonly files?: number;
  /** Seconds of media in the output. */
  readonly duration?: number;
  /** Pixels of one picture, read or written. */
  readonly pixels?: number;
  /** Streams of one input, and of the output. */
  readonly streams?: number;
  /** Threads that may be asked for of one encoder, decoder or filter graph. */
  readonly threads?: number;
  /** Processes and threads at a time, all together. */
  readonly processes?: number;
  /** Bytes of address space; the kernel holds it. */
  readonly memory?: number;
  /** Seconds of processor time, all threads together; the kernel holds it. */
  readonly cpu?: number;
  /** Seconds on the clock, all passes together. */
  readonly time?: number;
}

/** The limits that a client has of its own. null: it has none; undefined: as all clients have it. */
export type ClientLimitChanges = { readonly [K in keyof ClientLimits]?: number | null | undefined };

/** The policy of a client. */
export function mergeClientLimits(defaults: ClientLimits, own: ClientLimitChanges = {}): ClientLimits {
  const told = Object.entries(own).filter(([, most]) => most !== undefined);
  const set = Object.entries({ ...defaults, ...Object.fromEntries(told) }).filter(([, most]) => most !== null);
  return Object.freeze(Object.fromEntries(set));
}
