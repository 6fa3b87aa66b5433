import type { IdempotencyRecord, JobStore, Transactions } from '../ports.ts';
import { type Earlier, type Entry, type StoreEntriesDeps, storeEntries } from './insert-jobs.ts';

/**
 * Stores an entry as a job, with its ticket and its idempotency key, in one transaction; resolves once it is on disk.
 * Where the key was used before: resolves with that record, and nothing is stored.
 */
export type Enter = (entry: Entry) => Promise<IdempotencyRecord | undefined>;

export interface EnterDeps extends StoreEntriesDeps {
  readonly jobs: StoreEntriesDeps['jobs'] & Pick<JobStore, 'get'>;
  readonly transactions: Transactions;
  /** Left out: all are written here. */
  readonly entryThread?: EntryThread;
}

/** Writes entries off the event loop. */
export interface EntryThread {
  /** In one transaction, as `storeEntries` does; on disk when it resolves. undefined: not now, they are to be written here. */
  offer(entries: readonly Entry[]): Promise<Earlier> | undefined;
}

/** Entries of one unit. It bounds how long the event loop is held where there is no thread: some 7 µs an entry. */
const TOGETHER = 256;

/** Entries of one message to the thread: two smaller batches, one written while the other gathers, keep both at work. */
const IN_THREAD = 32;

/** From here on, writing them costs the event loop more than telling a thread of them does (some 50 µs). */
const MANY = 8;

interface Waiting {
  readonly entry: Entry;
  readonly resolve: (earlier: IdempotencyRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

const entryOf = ({ entry }: Waiting): Entry => entry;

/**
 * Entries that wait at the same time share a unit, and with it the statements: of many rows at once, a row costs half
 * of what it costs alone. Many go to the thread. Where that unit fails, each gets one of its own, so that nobody's
 * fault is another's.
 */
export function entrance(deps: EnterDeps): Enter {
  const waiting: Waiting[] = [];
  let working = false;

  async function enterHere(): Promise<void> {
    let batch: readonly Waiting[] = [];
    try {
      const earlier = await deps.transactions.run((tx) => {
        // Now, so that whoever came before the unit's start is in it; where it is run again, with the same entries.
        if (batch.length === 0) batch = waiting.splice(0, TOGETHER);
        return storeEntries(deps, tx, batch.map(entryOf));
      });
      tell(batch, earlier);
    } catch (error) {
      // No unit begins: there is no use in trying with each.
      if (batch.length === 0) for (const one of waiting.splice(0)) one.reject(error);
      else if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map(enterAlone));
    }
  }

  /** Whether the thread took them. */
  async function enterInThread(): Promise<boolean> {
    const batch = waiting.slice(0, IN_THREAD);
    const offered = deps.entryThread?.offer(batch.map(entryOf));
    if (offered === undefined) return false;
    waiting.splice(0, batch.length);
    try {
      tell(batch, await offered);
    } catch {
      await Promise.all(batch.map(enterAfterThread));
    }
    return true;
  }

  /** A thread that died between its commit and its answer has stored it. */
  async function enterAfterThread(one: Waiting): Promise<void> {
    const stored = await deps.jobs.get(one.entry.jobId).catch(() => undefined);
    if (stored === undefined) await enterAlone(one);
    else one.resolve(undefined);
  }

  async function enterAlone(one: Waiting): Promise<void> {
    try {
      const [earlier] = await deps.transactions.run((tx) => storeEntries(deps, tx, [one.entry]));
      one.resolve(earlier);
    } catch (error) {
      one.reject(error);
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) {
      // Replies leave, and the requests that have arrived are read: they come along.
      await new Promise(setImmediate);
      if (waiting.length < MANY || !(await enterInThread())) await enterHere();
    }
    working = false;
  }

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject });
      if (working) return;
      working = true;
      void work();
    });
}

function tell(batch: readonly Waiting[], earlier: Earlier): void {
  for (const [index, one] of batch.entries()) one.resolve(earlier[index]);
}
