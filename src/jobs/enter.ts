import type { ConversionRequest } from '../domain/conversion.ts';
import { TURNS_APART } from '../domain/states.ts';
import type { IdempotencyKey } from './operations.ts';
import type { IdempotencyRecord, IdempotencyStore, JobQueue, JobStore, NewJob, Transactions, Tx } from './ports.ts';

/** A checked request on its way to be a job. */
export interface Entry {
  readonly jobId: string;
  readonly clientId: string;
  readonly request: ConversionRequest;
  readonly retryOf?: string;
  /** `notBefore`: an earlier use of the key counts no more. */
  readonly idempotency?: IdempotencyKey & { readonly notBefore: string };
}

/**
 * Stores an entry as a job, with its ticket and its idempotency key, in one transaction; resolves once it is on disk.
 * Where the key was used before: resolves with that record, and nothing is stored.
 */
export type Enter = (entry: Entry) => Promise<IdempotencyRecord | undefined>;

export interface EnterDeps {
  readonly transactions: Transactions;
  readonly jobs: Pick<JobStore, 'insert' | 'nextTurn'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly idempotency: Pick<IdempotencyStore, 'remember'>;
  readonly now: () => Date;
}

/** Entries of one unit. It bounds how long the event loop is held: some 7 µs an entry. */
const TOGETHER = 256;

interface Waiting {
  readonly entry: Entry;
  readonly resolve: (earlier: IdempotencyRecord | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Entries that wait at the same time share a unit, and with it the statements: of many rows at once, a row costs half
 * of what it costs alone. Where that unit fails, each gets one of its own, so that nobody's fault is another's.
 */
export function entrance(deps: EnterDeps): Enter {
  const waiting: Waiting[] = [];
  let working = false;

  async function enterTogether(): Promise<void> {
    let batch: readonly Waiting[] = [];
    try {
      const earlier = await deps.transactions.run((tx) => {
        // Now, so that whoever came before the unit's start is in it; where it is run again, with the same entries.
        if (batch.length === 0) batch = waiting.splice(0, TOGETHER);
        return store(deps, tx, batch);
      });
      for (const [index, one] of batch.entries()) one.resolve(earlier[index]);
    } catch (error) {
      // No unit begins: there is no use in trying with each.
      if (batch.length === 0) for (const one of waiting.splice(0)) one.reject(error);
      else if (batch.length === 1) batch[0]?.reject(error);
      else await Promise.all(batch.map(enterAlone));
    }
  }

  async function enterAlone(one: Waiting): Promise<void> {
    try {
      const [earlier] = await deps.transactions.run((tx) => store(deps, tx, [one]));
      one.resolve(earlier);
    } catch (error) {
      one.reject(error);
    }
  }

  async function work(): Promise<void> {
    while (waiting.length > 0) await enterTogether();
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

/** What each entry's key stood for already. */
type Earlier = readonly (IdempotencyRecord | undefined)[];

async function store(deps: EnterDeps, tx: Tx, batch: readonly Waiting[]): Promise<Earlier> {
  const earlier: (IdempotencyRecord | undefined)[] = [];
  const jobs: NewJob[] = [];
  const turns = new Map<string, number>();
  const createdAt = deps.now().toISOString();
  for (const { entry } of batch) {
    const { idempotency, ...job } = entry;
    const { jobId, clientId } = job;
    const record =
      idempotency &&
      (await deps.idempotency.remember(tx, { ...idempotency, clientId, jobId, at: createdAt }, idempotency.notBefore));
    earlier.push(record);
    if (record !== undefined) continue;
    const last = turns.get(clientId);
    const turn = last === undefined ? await deps.jobs.nextTurn(tx, clientId) : last + TURNS_APART;
    turns.set(clientId, turn);
    jobs.push({ ...job, createdAt, turn });
  }
  await deps.jobs.insert(tx, jobs);
  await deps.queue.enqueue(
    tx,
    jobs.map(({ jobId, clientId, turn }) => ({ jobId, clientId, rank: -turn })),
  );
  return earlier;
}
