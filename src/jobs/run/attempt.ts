import { type Failure, JobFailed } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import type { JobOutput } from '../../domain/job.ts';
import { MAX_ATTEMPTS } from '../../domain/states.ts';
import { CANCELLED_ON_REQUEST } from '../cancel.ts';
import type {
  Claim,
  Converter,
  InputStaging,
  JobStore,
  Planner,
  Publishing,
  Scratch,
  ScratchSpace,
  ClientContext,
} from '../ports.ts';
import type { Heartbeat, StopCause } from './heartbeat.ts';
import { checkInputSize, checkScratchSize } from './size-limits.ts';
import { LOW_DISK_SPACE, type SpaceWatch } from './space-watch.ts';

/** Points at which a crash is survived; tests end the process there. */
export type Failpoint = 'after-claim' | 'after-intent' | 'after-commit';

export interface AttemptDeps {
  readonly jobs: Pick<JobStore, 'recordIntent'>;
  readonly media: ScratchSpace & InputStaging & Publishing;
  readonly planner: Planner;
  readonly convert: Converter;
  /** As they are when the try begins, not when the job was taken in. */
  readonly termsOf: (clientId: string) => Promise<ClientContext>;
  readonly minFreeBytes: number;
  readonly space: SpaceWatch;
  readonly at: (point: Failpoint) => void;
}

/** What one try came to. `scratch` is left to the caller, who removes it once the result is on disk. */
export type AttemptResult = (
  | { readonly kind: 'completed'; readonly outputs: readonly JobOutput[] }
  /**
   * `cause` is for the operator's log alone: an error, or what ffmpeg said last. `nonRetryable`: the code is one that
   * another try may mend, but it would meet the same.
   */
  | { readonly kind: 'failed'; readonly failure: Failure; readonly cause?: unknown; readonly nonRetryable?: boolean }
  | { readonly kind: 'stopped'; readonly cause: StopCause }
) & { readonly log: string; readonly scratch?: Scratch };

/** Stages, converts and publishes one claimed job; finishes what a lost worker had begun to publish. */
export async function runAttempt(
  deps: AttemptDeps,
  claim: Claim,
  signal: AbortSignal,
  heartbeat: Heartbeat,
): Promise<AttemptResult> {
  const { job, intent: begun } = claim;
  let used: Scratch | undefined = begun && { name: begun.scratch };
  /** Written down, and neither all published nor taken back. */
  let open = begun;
  let log = '';
  const withScratch = () => (used === undefined ? { log } : { log, scratch: used });
  const failed = async (failure: Failure, cause: unknown, mendable = true): Promise<AttemptResult> => {
    // Its own work took more than the reserve: with as much room again, it would again.
    const tookAll =
      failure.code === 'NO_SPACE' &&
      used !== undefined &&
      (await deps.media.scratchUsage(used)).bytes >= deps.minFreeBytes;
    const nonRetryable = tookAll || !mendable;
    return { kind: 'failed', failure: tookAll ? tooLarge : failure, cause, nonRetryable, ...withScratch() };
  };
  try {
    if (begun !== undefined) {
      if (await deps.media.publish(begun)) return { kind: 'completed', outputs: begun.outputs, ...withScratch() };
      await deps.media.unpublish(begun);
      open = undefined;
      await deps.media.discard({ name: begun.scratch });
      used = undefined;
    }
    if (job.cancelRequestedAt !== undefined) throw new JobFailed(CANCELLED_ON_REQUEST);
    if (claim.exhausted) throw new JobFailed(workerLost);
    const terms = await deps.termsOf(job.clientId);
    const { root, policy } = terms;
    const planned = await deps.planner(job.request, terms);
    if (!planned.ok) throw new JobFailed(unplannable(planned.errors[0]?.message));
    const { plan } = planned;
    if ((await deps.media.freeBytes()) < deps.minFreeBytes) throw new JobFailed(LOW_DISK_SPACE);

    const scratch = await deps.media.openScratch(job.jobId, claim.fence);
    used = scratch;
    const inputs = await deps.media.stage(root, scratch, plan.inputs, plan.output);
    checkInputSize(inputs, policy);
    const space = deps.space.watch(scratch, policy);
    const outcome = await deps
      .convert({
        plan,
        policy,
        scratch,
        inputs,
        signal: AbortSignal.any([signal, space.signal]),
        onStart: () => heartbeat.setPhase('CONVERTING'),
        onProgress: (progress, soFar) => heartbeat.setProgress(progress, soFar),
      })
      .finally(space.end);
    log = outcome.log;
    if (signal.aborted && !outcome.ok) return { kind: 'stopped', cause: signal.reason as StopCause, ...withScratch() };
    if (!outcome.ok)
      return await failed(space.signal.aborted ? (space.signal.reason as Failure) : outcome.failure, outcome.raw);
    await checkScratchSize(deps.media, scratch, policy);

    heartbeat.setPhase('PUBLISHING');
    const intent = await deps.media.prepare(root, scratch, plan.output, outcome.main, inputs);
    if (!(await deps.jobs.recordIntent(claim, intent))) return { kind: 'stopped', cause: 'lost', ...withScratch() };
    open = intent;
    deps.at('after-intent');
    if (!(await deps.media.publish(intent))) throw new JobFailed(lostTemporary);
    return { kind: 'completed', outputs: intent.outputs, ...withScratch() };
  } catch (error) {
    // What cannot be taken back is left with its files and its row as a crash would leave it, for the next try to
    // judge; the last one gives up.
    if (open !== undefined)
      await deps.media.unpublish(open).catch((fault) => {
        if (!claim.exhausted) throw fault;
      });
    if (error instanceof JobFailed) return await failed(error.failure, error.cause, !error.nonRetryable);
    if (used !== undefined) await deps.media.discard(used).catch(() => undefined);
    throw error;
  }
}

const workerLost: Failure = {
  code: 'WORKER_LOST',
  message: `The worker that ran this job was lost ${MAX_ATTEMPTS} times, and no further try is made.`,
  fix: hint`Look at the service and its machine (memory, restarts); then ${RETRY_JOB}.`,
};

const tooLarge: Failure = {
  code: 'NO_SPACE',
  message: 'The conversion wrote so much that too little free disk space was left.',
  fix: 'Lower the bit rate or the length of the output (an input that is looped needs "t"), or ask the operator for a larger disk.',
};

const lostTemporary: Failure = {
  code: 'STORAGE_FAULT',
  message: 'The finished file vanished before it could be published.',
  fix: hint`${RETRY_JOB}.`,
};

/** Only where the installed ffmpeg or the sandbox changed since the job was accepted. */
const unplannable = (why: string | undefined): Failure => ({
  code: 'UNSUPPORTED',
  message: `The worker cannot run what was accepted: ${why ?? 'the request no longer fits the installed ffmpeg.'}`,
});
