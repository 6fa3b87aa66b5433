import { DAY_MS } from '@telecine/contract/domain/quantity.ts';
import type { Receipt, Receipts } from '../jobs/ports/receipts.ts';

/** For how many days after its acceptance the receipt of a job is kept. Backups are seldom restored that are older. */
const KEPT_DAYS = 3;

const REMOVED_AT_ONCE = 50;

/** The files of an engine that contain the receipts, by the ids of jobs. */
export interface ReceiptFiles {
  write(jobId: string, text: string): Promise<unknown>;
  read(jobId: string): Promise<string | undefined>;
  list(): Promise<readonly string[]>;
  remove(jobId: string): Promise<unknown>;
}

/** The time of acceptance, which a UUID version 7 begins with (RFC 9562, 5.7). */
const acceptedMs = (jobId: string): number => Number.parseInt(jobId.replaceAll('-', '').slice(0, 12), 16);

export const receiptsIn = (files: ReceiptFiles): Receipts => ({
  keep: async (jobId, receipt) => void (await files.write(jobId, JSON.stringify(receipt))),
  find: async (jobId) => {
    const text = await files.read(jobId);
    return text === undefined ? undefined : (JSON.parse(text) as Receipt);
  },
  sweep: async () => {
    const oldest = Date.now() - KEPT_DAYS * DAY_MS;
    const old = (await files.list()).filter((jobId) => !(acceptedMs(jobId) >= oldest));
    while (old.length > 0) await Promise.all(old.splice(0, REMOVED_AT_ONCE).map(files.remove));
  },
});
