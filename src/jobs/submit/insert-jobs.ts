import { TURNS_APART } from '../../domain/states.ts';
import type { IdempotencyKey } from '../operations.ts';
import type { IdempotencyRecord, IdempotencyStore, JobQueue, JobStore, NewJob, Tx } from '../ports.ts';

/** A checked request on its way to be a job. */
export interface Entry {
  readonly jobId: string;
  readonly clientId: string;
  /** JSON of the ConversionRequest: it is written once, also where a thread stores it. */
  readonly request: string;
  readonly retryOf?: string;
  /** `notBefore`: an earlier use of the key counts no more. */
  readonly idempotency?: IdempotencyKey & { readonly notBefore: string };
}

/** For each entry, what its key stood for already; undefined: it was stored. */
export type Earlier = readonly (IdempotencyRecord | undefined)[];

export interface StoreEntriesDeps {
  readonly jobs: Pick<JobStore, 'insert' | 'nextTurn'>;
  readonly queue: Pick<JobQueue, 'enqueue'>;
  readonly idempotency: Pick<IdempotencyStore, 'remember'>;
  readonly now: () => Date;
}

/** Stores entries as jobs, each with its ticket and its idempotency key; all of them, or it throws. */
export async function storeEntries(deps: StoreEntriesDeps, tx: Tx, entries: readonly Entry[]): Promise<Earlier> {
  const earlier: (IdempotencyRecord | undefined)[] = [];
  const jobs: NewJob[] = [];
  const turns = new Map<string, number>();
  const createdAt = deps.now().toISOString();
  for (const { idempotency, ...job } of entries) {
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
