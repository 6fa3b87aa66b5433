import type { Caller } from '../domain/client.ts';
import type { ConversionRequest } from '../domain/conversion.ts';
import type { IdempotencyKey } from '../jobs/submit/insert-jobs.ts';
import type { Accepted, SubmitOptions } from '../jobs/submit/submit.ts';
import type { McpDeps } from './deps.ts';

/** Reserves a place in the queue while the job is submitted. */
export async function queueJob(
  { jobs }: McpDeps,
  caller: Caller,
  request: ConversionRequest,
  idempotency: IdempotencyKey | undefined,
  hangUp?: AbortSignal,
  options?: SubmitOptions,
): Promise<Accepted> {
  const place = await jobs.admit(caller);
  let accepted = false;
  try {
    const job = await jobs.submit(caller, request, idempotency, hangUp, options);
    accepted = true;
    return job;
  } finally {
    place.release(accepted);
  }
}
