import { fallbackOf } from '../../domain/devices.ts';
import { type Failure, JobFailed } from '../../domain/failure.ts';
import type { Job } from '../../domain/job.ts';
import type { Requirements } from '../../domain/lane.ts';
import type { Plan } from '../../domain/plan.ts';
import { CLIENT_REVOKED } from '../end-job.ts';
import type { ClientContext, Planner } from '../ports/planner.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';

export interface PlanJobDeps {
  /** Returns the current media root and limits, which may differ from those at submission. */
  readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
  readonly planner: Planner;
  /**
   * What a job needs of another worker, if this one's ffmpeg cannot run it and another registered build can. Undefined
   * if none can.
   */
  readonly needsElsewhere: (
    request: Job['request'],
    context: ClientContext,
  ) => Promise<Requirements['needs'] | undefined>;
}

/** The plan of a job on this worker, with the media root and the limits of its client. */
export interface PlannedJob {
  readonly plan: Plan;
  readonly context: ClientContext;
  /** Why the fallback of the request runs. Absent if the request itself runs. */
  readonly replacedBecause?: string;
}

/**
 * Plans a claimed job for the ffmpeg of this worker, or resolves to what the job needs of another worker. Waits while the
 * database is unavailable. Throws the reason of an abort, CANCELLED if the client was revoked, and UNSUPPORTED if no worker
 * can run the job any more.
 */
export async function planJob(
  deps: PlanJobDeps,
  job: Job,
  signal: AbortSignal,
): Promise<PlannedJob | { readonly needs: Requirements['needs'] }> {
  const waitForStore = <T>(work: () => Promise<T>): Promise<T> => retryWhileUnavailable(work, signal);
  const context = await waitForStore(() => deps.clientContextOf(job.clientId));
  if (context.isRevoked) throw new JobFailed(CLIENT_REVOKED);
  const planned = await waitForStore(() => deps.planner(job.request, context));
  if (planned.ok) return { plan: planned.plan, context };
  const needs = await waitForStore(() => deps.needsElsewhere(job.request, context));
  if (needs !== undefined) return { needs };
  const reason = planned.errors[0]?.message;
  const other = await planFallback(deps, job, context, reason ?? '', signal);
  if (other === undefined) throw new JobFailed(noLongerSupported(reason));
  return other;
}

/** Plans the fallback of a job whose request no device can run. undefined if it has none, or if this worker cannot run that. */
export async function planFallback(
  { planner }: Pick<PlanJobDeps, 'planner'>,
  { request }: Pick<Job, 'request'>,
  context: ClientContext,
  reason: string,
  signal: AbortSignal,
): Promise<PlannedJob | undefined> {
  const fallback = fallbackOf(request);
  if (fallback === undefined) return undefined;
  const planned = await retryWhileUnavailable(() => planner(fallback, context), signal);
  return planned.ok ? { plan: planned.plan, context, replacedBecause: reason } : undefined;
}

/** The failure if the builds of all workers, or the sandbox, have changed since the job was accepted. */
const noLongerSupported = (reason: string | undefined): Failure => ({
  code: 'UNSUPPORTED',
  message: `The worker cannot run this job: ${reason ?? 'the installed ffmpeg no longer supports the request.'}`,
});
