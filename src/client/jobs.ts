import type { z } from 'zod';
import type { AcceptedView } from '../wire/accepted.ts';
import type { conversionBody } from '../wire/conversion.ts';
import type { DryRunView } from '../wire/dry-run.ts';
import { jobPath } from '../wire/endpoints.ts';
import type { JobListView, JobView } from '../wire/job.ts';
import type { CallOptions, Transport } from './transport.ts';

/** What to convert and how: the body of `POST /api/conversion`. */
export type ConversionRequest = z.input<typeof conversionBody>;

export interface SubmitOptions extends CallOptions {
  /** The same key and request give the same job for 24 hours. Left out: a new one, so that each call is a job. */
  readonly idempotencyKey?: string;
}

export interface ListOptions extends CallOptions {
  readonly status?: JobView['status'] | undefined;
  /** Jobs on one page, 1 to 200. */
  readonly limit?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
}

/** Jobs of the caller. */
export interface JobCalls {
  /** Puts a conversion in line; sent again when its reply was lost, which gives the same job. */
  submit(request: ConversionRequest, options?: SubmitOptions): Promise<AcceptedView>;
  /** What would run; nothing is queued. */
  dryRun(request: ConversionRequest, options?: CallOptions): Promise<DryRunView>;
  get(jobId: string, options?: CallOptions): Promise<JobView>;
  /** Newest first. */
  list(options?: ListOptions): Promise<JobListView>;
  cancel(jobId: string, options?: CallOptions): Promise<JobView>;
  /** A new job with the same request. */
  retry(jobId: string, options?: CallOptions): Promise<AcceptedView>;
  /** Forgets a finished job; with `outputs` deletes its files too. */
  remove(jobId: string, options?: CallOptions & { readonly outputs?: boolean }): Promise<void>;
  /** ffmpeg's log as far as it is shown. */
  log(jobId: string, options?: CallOptions): Promise<string>;
}

const AT = '/api/conversion';

const json = <T>(answer: Response): Promise<T> => answer.json() as Promise<T>;

export function jobCalls({ call }: Transport): JobCalls {
  return {
    submit: (body, { idempotencyKey = crypto.randomUUID(), signal } = {}) =>
      call(
        {
          method: 'POST',
          path: AT,
          body,
          headers: () => ({ 'idempotency-key': idempotencyKey }),
          repeatable: true,
          signal,
        },
        json<AcceptedView>,
      ),
    dryRun: (body, { signal } = {}) =>
      call({ method: 'POST', path: AT, query: { dryRun: 'true' }, body, repeatable: true, signal }, json<DryRunView>),
    get: (jobId, { signal } = {}) => call({ path: jobPath(jobId), signal }, json<JobView>),
    list: ({ status, limit, cursor, signal } = {}) =>
      call({ path: AT, query: { status, limit: limit?.toString(), cursor }, signal }, json<JobListView>),
    cancel: (jobId, { signal } = {}) =>
      call({ method: 'POST', path: `${jobPath(jobId)}/cancel`, repeatable: true, signal }, json<JobView>),
    retry: (jobId, { signal } = {}) =>
      call({ method: 'POST', path: `${jobPath(jobId)}/retry`, signal }, json<AcceptedView>),
    remove: (jobId, { outputs = false, signal } = {}) =>
      call(
        { method: 'DELETE', path: jobPath(jobId), query: outputs ? { outputs: 'true' } : {}, signal },
        async () => undefined,
      ),
    log: (jobId, { signal } = {}) => call({ path: `${jobPath(jobId)}/log`, signal }, (answer) => answer.text()),
  };
}
