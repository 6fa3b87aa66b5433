import { callQuota, fairSlots } from '@telecine/contract/domain/call-quota.ts';
import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { type Failure, JobFailed } from '@telecine/contract/domain/failure.ts';
import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { Catalogue } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import { type DraftOrPlan, type PlanTask, PlanTooLarge, planningWork } from '@telecine/ffmpeg/plan/plan-step.ts';
import { PlanThread } from './plan-thread.ts';

/** Plans a request as `draftOrPlan` does. */
type PlanInThread = (clientId: string, task: PlanTask, catalogues: readonly Catalogue[]) => Promise<DraftOrPlan>;

/**
 * The limit of `planningWork` above which a request is planned in a thread. Below it, planning takes a few
 * milliseconds, which is less than the start of the thread.
 */
const LARGE = 24_000;

export const isLarge = (request: ConversionRequest): boolean => planningWork(request) > LARGE;

/** The maximum time for a plan. The largest requests need a twentieth of it. */
const DEADLINE_MS = 10_000;

/** The maximum number of large requests that are queued or being planned. */
const QUOTA = { perClient: 4, total: 32 } as const;

export type LargePlans = ReturnType<typeof largePlans>;

/** Plans large requests in a thread, one at a time. Clients take turns. */
export function largePlans() {
  const limit = callQuota('checks of large requests', QUOTA);
  const takeTurn = fairSlots({ slots: 1 });
  const thread = new PlanThread(DEADLINE_MS);
  /** Plans in the thread. `tooLarge`: creates the error for a request that takes too much time or memory. */
  const inThread =
    (tooLarge: (cause: PlanTooLarge) => Error): PlanInThread =>
    (clientId, task, catalogues) =>
      takeTurn(clientId, NEVER, () => thread.plan(task, catalogues)).catch((error: unknown) => {
        throw error instanceof PlanTooLarge ? tooLarge(error) : error;
      });
  const ofRequest = inThread(() => invalidRequest([TOO_LARGE]));
  return {
    /** Plans the request of a running job, without a quota: the request was already accepted. */
    ofJob: inThread((cause) => new JobFailed(TOO_LARGE_JOB, cause)),
    /**
     * Plans a request while its client waits for the reply. Throws RATE_LIMITED or UNAVAILABLE if too many requests are
     * queued.
     */
    ofRequest: ((clientId, task, catalogues) =>
      limit(clientId, () => ofRequest(clientId, task, catalogues))) satisfies PlanInThread,
  };
}

const REASON = {
  message: `The request is too complex: checking it takes more than ${DEADLINE_MS / 1000} s or too much memory.`,
  fix: 'Send fewer outputs and options in a request, or shorter filtergraphs and lists.',
};
const TOO_LARGE = { field: '', code: 'TOO_COMPLEX', ...REASON };
/** A job gets this failure if its worker is slower than the service that accepted it. */
const TOO_LARGE_JOB: Failure = { code: 'LIMIT_EXCEEDED', ...REASON };
