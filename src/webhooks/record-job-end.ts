import { batchStatus, countJobs, type EndedBatch } from '../domain/batch.ts';
import type { Job } from '../domain/job.ts';
import { eventOfBatch, eventOfEnd, isBatchEvent } from '../domain/webhook.ts';
import type { JobEndWrite } from '../jobs/ports/job-store.ts';
import type { Tx } from '../jobs/ports/transactions.ts';
import type { EndedJob, WebhookOutbox } from './ports.ts';
import { type RecordEventDeps, recordEvent } from './record-event.ts';

export interface RecordJobEndDeps extends Pick<RecordEventDeps, 'onOverLimit'> {
  readonly outbox: Pick<WebhookOutbox, 'endedJob' | 'endedBatch' | 'insert'>;
  /** The content of an event about a job, without secrets. */
  readonly viewOf: (job: Job) => unknown;
  /** The content of an event about a batch, without secrets. */
  readonly viewOfBatch: (batch: EndedBatch) => unknown;
}

/**
 * Stores the event of a job that ends, and of its batch if it is the last one. They are in the transaction that ends the job,
 * so that no crash loses one. It locks the batch (see `EndWrites`). Resolves to false if there is nothing to deliver.
 */
export function recordJobEnd(deps: RecordJobEndDeps): (...end: Parameters<JobEndWrite>) => Promise<boolean> {
  const { outbox, viewOf } = deps;
  return async (tx, end) => {
    const ended = await outbox.endedJob(tx, end);
    if (ended === undefined) return false;
    const { job, endpoints } = ended;
    const { jobId, clientId, at } = end;
    await recordEvent(deps, tx, {
      ...{ clientId, jobId, at, endpoints },
      event: eventOfEnd(end.status),
      data: () => viewOf(job),
      callbackUrl: job.request.callbackUrl,
    });
    if (job.batchId !== undefined) await recordBatchEnd(deps, tx, job.batchId, endpoints, at);
    return true;
  };
}

async function recordBatchEnd(
  deps: RecordJobEndDeps,
  tx: Tx,
  batchId: string,
  endpoints: EndedJob['endpoints'],
  at: string,
): Promise<void> {
  const { outbox, viewOfBatch } = deps;
  const hasEndpoint = endpoints.some(({ events }) => events?.some(isBatchEvent) ?? true);
  const batch = await outbox.endedBatch(tx, batchId, hasEndpoint);
  if (batch === undefined) return;
  const { clientId, callbackUrl } = batch;
  const event = eventOfBatch(batchStatus(countJobs(batch.jobs)));
  if (event === undefined) return;
  const data = () => viewOfBatch(batch);
  await recordEvent(deps, tx, { ...{ clientId, batchId, at, endpoints, callbackUrl }, event, data });
}
