import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { fallbackOf } from '@telecine/contract/domain/devices.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import type { Job } from '@telecine/contract/domain/job.ts';
import type { Requirements } from '@telecine/contract/domain/lane.ts';
import { CLIENT_REVOKED } from '../end-job.ts';
import { type FactsOfInput, openJobRequest } from '../job-request.ts';
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
  /** The request that runs: with its recipe applied, or its fallback. */
  readonly request: ConversionRequest;
  /** Present if its recipe has to be applied again with the facts of the first input. */
  readonly facts?: FactsOfInput;
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
  const waitForStore = <T>(work: () => Promise<T>): Promise<T> => retryWhileUnavailable(work, signal);
  const context = await waitForStore(() => deps.clientContextOf(job.clientId));
  if (context.isRevoked) throw new JobFailed(CLIENT_REVOKED);
  const { request, withoutFacts, ...facts } = openJobRequest(job.request);
  const draft = (one: ConversionRequest): Promise<RequestDraft> => waitForStore(() => deps.planner(one, context));
  const preferred = { request, draft: await draft(request), context, ...facts };
  const [error] = preferred.draft.errors;
  if (error === undefined) return preferred;
  if (withoutFacts !== undefined) return { ...preferred, request: withoutFacts, draft: await draft(withoutFacts) };
  const needs = await waitForStore(() => deps.needsElsewhere(request, context));
  if (needs !== undefined) return { needs };
  const other = await draftFallback(deps, preferred, error.message, signal);
  if (other === undefined) throw new JobFailed(noLongerSupported(error.message));
  return other;
}

/** Drafts the fallback of a job. Resolves to undefined if the job has no fallback or this worker cannot run it. */
export async function draftFallback(
  { planner }: Pick<DraftJobDeps, 'planner'>,
  { request: preferred, context, facts }: Pick<DraftedJob, 'request' | 'context' | 'facts'>,
  reason: string,
  signal: AbortSignal,
): Promise<DraftedJob | undefined> {
  const request = fallbackOf(preferred);
  if (request === undefined) return undefined;
  const draft = await retryWhileUnavailable(() => planner(request, context), signal);
  if (draft.errors.length > 0) return undefined;
  const apply: FactsOfInput['apply'] | undefined = facts && ((info) => fallbackOf(facts.apply(info)) ?? request);
  return { request, draft, context, replacedBecause: reason, ...(facts && apply && { facts: { ...facts, apply } }) };
}

/** The failure of an accepted job that no worker can run any more, because the builds or the sandbox have changed. */
export const noLongerSupported = (reason: string | undefined): Failure => ({
  code: 'UNSUPPORTED',
  message: `The worker cannot run this job: ${reason ?? 'the installed ffmpeg no longer supports the request.'}`,
});
