import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { fallbackOf } from '@telecine/contract/domain/devices.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { CLIENT_REVOKED } from '../end-job.ts';
import type { ClientContext, Planner, RequestDraft } from '../ports/ffmpeg.ts';
import { retryWhileUnavailable } from './outage-retries.ts';

export interface DraftJobDeps {
  /** Returns the current media root and limits of a client. They may have changed since the submission. */
  readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
  readonly planner: Planner;
  /**
   * Returns the needs of a job that this worker cannot run but another registered build can. undefined: no other build
   * can run it.
   */
  readonly needsElsewhere: (
    request: Job['request'],
    context: ClientContext,
  ) => Promise<Requirements['needs'] | undefined>;
}

/** A job whose files are known on this worker, with the media root and the limits of its client. */
export interface DraftedJob {
  /** The request of the job, or its fallback. */
  readonly request: ConversionRequest;
  readonly draft: RequestDraft;
  readonly context: ClientContext;
  /** Why the fallback of the request runs instead. Absent if the request itself runs. */
  readonly replacedBecause?: string;
}

/**
 * Makes the first half of the plan of a claimed job, for the ffmpeg of this worker. If only another worker can run the
 * job, resolves to the needs of the job. Waits while the database is unavailable. Throws the reason of an abort. Throws
 * CANCELLED if the client was revoked, and UNSUPPORTED if no worker can run the job.
 */
export async function draftJob(
  deps: DraftJobDeps,
  job: Job,
  signal: AbortSignal,
): Promise<DraftedJob | { readonly needs: Requirements['needs'] }> {
  const { request } = job;
  const waitForStore = <T>(work: () => Promise<T>): Promise<T> => retryWhileUnavailable(work, signal);
  const context = await waitForStore(() => deps.clientContextOf(job.clientId));
  if (context.isRevoked) throw new JobFailed(CLIENT_REVOKED);
  const draft = await waitForStore(() => deps.planner(request, context));
  const [error] = draft.errors;
  if (error === undefined) return { request, draft, context };
  const needs = await waitForStore(() => deps.needsElsewhere(request, context));
  if (needs !== undefined) return { needs };
  const other = await draftFallback(deps, job, context, error.message, signal);
  if (other === undefined) throw new JobFailed(noLongerSupported(error.message));
  return other;
}

/** Drafts the fallback of a job. Resolves to undefined if the job has no fallback or this worker cannot run it. */
export async function draftFallback(
  { planner }: Pick<DraftJobDeps, 'planner'>,
  job: Pick<Job, 'request'>,
  context: ClientContext,
  reason: string,
  signal: AbortSignal,
): Promise<DraftedJob | undefined> {
  const request = fallbackOf(job.request);
  if (request === undefined) return undefined;
  const draft = await retryWhileUnavailable(() => planner(request, context), signal);
  return draft.errors.length === 0 ? { request, draft, context, replacedBecause: reason } : undefined;
}

/** The failure of an accepted job that no worker can run any more, because the builds or the sandbox have changed. */
export const noLongerSupported = (reason: string | undefined): Failure => ({
  code: 'UNSUPPORTED',
  message: `The worker cannot run this job: ${reason ?? 'the installed ffmpeg no longer supports the request.'}`,
});
