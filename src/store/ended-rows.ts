import type { Tx } from '../jobs/ports/transactions.ts';
import type { JobRow } from './job-row.ts';

/** The row of a job as the write of its end has returned it. */
export type EndedRow = Omit<JobRow, 'intent'>;

/** What the transaction that ends a job stores after the row needs not read again what the write of the row has returned. */
const rows = new WeakMap<Tx, EndedRow>();

export const setEndedRow = (tx: Tx, row: EndedRow): unknown => rows.set(tx, row);

/** Returns undefined if the transaction has ended another job, or a job that no worker had claimed. */
export function endedRow(tx: Tx, jobId: string): EndedRow | undefined {
  const row = rows.get(tx);
  return row?.job_id === jobId ? row : undefined;
}
