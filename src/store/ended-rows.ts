import type { Tx } from '../jobs/ports/transactions.ts';
import type { JobRow } from './job-row.ts';

/** The row of a job as the write of its end has returned it. */
export type EndedRow = Omit<JobRow, 'intent'>;

/** The row that the end of a job has returned, for later writes of the same transaction, so that they need not read it. */
const rows = new WeakMap<Tx, EndedRow>();

export const setEndedRow = (tx: Tx, row: EndedRow): void => void rows.set(tx, row);

/** Returns undefined if the transaction has ended another job, or a job that no worker had claimed. */
export function endedRow(tx: Tx, jobId: string): EndedRow | undefined {
  const row = rows.get(tx);
  return row?.job_id === jobId ? row : undefined;
}
