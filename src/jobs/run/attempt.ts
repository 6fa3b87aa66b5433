import { type Failure, JobFailed } from '../../domain/failure.ts';
import { hint, RETRY_JOB } from '../../domain/hint.ts';
import type { Job, JobOutput } from '../../domain/job.ts';
import type { Requirements } from '../../domain/lane.ts';
import { MAX_ATTEMPTS } from '../../domain/max-attempts.ts';
import type { Warning } from '../../domain/plan.ts';
import { CANCELLED_ON_REQUEST, CLIENT_REVOKED } from '../end-job.ts';
import type { Converter } from '../ports/converter.ts';
import type { InputStaging } from '../ports/input-staging.ts';
import type { Claim, JobClaims } from '../ports/job-claims.ts';
import type { ClientContext, Planner } from '../ports/planner.ts';
import type { PublishIntent, Publishing } from '../ports/publishing.ts';
import type { Scratch, ScratchSpace } from '../ports/scratch-space.ts';
import type { Heartbeat, StopCause } from './heartbeat.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import { sequenceGaps } from './sequence-gaps.ts';
import { checkInputSize, checkScratchSize } from './size-limits.ts';
import { LOW_DISK_SPACE, type SpaceWatch, type WatchedConversion } from './space-watch.ts';

/** Points at which tests end the process, to check that the service recovers from a crash. */
export type Failpoint = 'after-claim' | 'after-intent' | 'after-commit';

export interface AttemptDeps {
  readonly jobs: Pick<JobClaims, 'recordIntent'>;
  readonly media: ScratchSpace & InputStaging & Publishing;
  readonly planner: Planner;
  /**
   * What a job needs of another worker, if this one's ffmpeg cannot run it and another registered build can. Undefined
   * if none can.
   */
  readonly needsElsewhere: (
    request: Job['request'],
    context: ClientContext,
  ) => Promise<Requirements['needs'] | undefined>;
  readonly convert: Converter;
  /** Returns the current media root and limits, which may differ from those at submission. */
  readonly clientContextOf: (clientId: string) => Promise<ClientContext>;
  readonly minFreeBytes: number;
  readonly space: SpaceWatch;
  readonly failpoint: (point: Failpoint) => void;
  /** Reports an error of the service, rather than of the job, to the operator's log. */
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/** The result of one attempt. The caller discards `scratch` once the result is stored. */
export type AttemptResult = (
  | {
      readonly kind: 'completed';
      readonly outputs: readonly JobOutput[];
      /** The warnings of the run. Absent if there are none. */
      readonly warnings?: readonly Warning[];
    }
  | {
      readonly kind: 'failed';
      readonly failure: Failure;
      /** For the operator's log only: an error, or ffmpeg's last lines. */
      readonly cause?: unknown;
      /** Whether another attempt would fail the same way, although failures with this code are usually retried. */
      readonly nonRetryable?: boolean;
      /** The warnings of the run, for which a strict job fails. */
      readonly warnings?: readonly Warning[];
    }
  | { readonly kind: 'stopped'; readonly cause: StopCause }
  /** Only workers that have this can run the job. */
  | { readonly kind: 'unfit'; readonly needs: Requirements['needs'] }
) & { readonly log: string; readonly scratch?: Scratch };

/**
 * Stages, converts and publishes one claimed job. If an earlier worker crashed while it was publishing, finishes that
 * instead. Calls `onConverted` when the conversion has succeeded and publishing starts.
 */
export async function runAttempt(
  deps: AttemptDeps,
  claim: Claim,
  signal: AbortSignal,
  heartbeat: Heartbeat,
  onConverted: () => void,
): Promise<AttemptResult> {
  const { job, intent: earlierIntent } = claim;
  let usedScratch: Scratch | undefined = earlierIntent && { name: earlierIntent.scratch };
  /** The stored intent whose files are neither all published nor all unpublished. */
  let openIntent = earlierIntent;
  let log = '';
  let space: WatchedConversion | undefined;
  const withScratch = () => (usedScratch === undefined ? { log } : { log, scratch: usedScratch });
  const failed = async (
    failure: Failure,
    cause: unknown,
    nonRetryable = false,
  ): Promise<Extract<AttemptResult, { kind: 'failed' }>> => {
    const hasFilledDisk = failure.code === 'NO_SPACE' && (await space?.hasFilledDisk()) === true;
    return {
      kind: 'failed',
      failure: hasFilledDisk ? OUTPUT_TOO_LARGE : failure,
      cause,
      nonRetryable: nonRetryable || hasFilledDisk,
      ...withScratch(),
    };
  };
  const waitForStore = <T>(work: () => Promise<T>): Promise<T> => retryWhileUnavailable(work, signal);
  /**
   * Stores that the files of an intent are to be removed. Resolves to false if another worker has claimed the job. Await it
   * before files are unpublished: while this process is paused, another worker may take the job over, and must not complete
   * it with files that this process then removes. `publish` needs no such step, because it follows the claim or
   * `recordIntent`, and removes nothing.
   */
  const abandon = (intent: PublishIntent): Promise<boolean> =>
    waitForStore(() => deps.jobs.recordIntent(claim, { ...intent, abandoned: true }));
  const lost = (): AttemptResult => ({ kind: 'stopped', cause: 'lost', ...withScratch() });
  try {
    if (earlierIntent !== undefined) {
      if (earlierIntent.abandoned !== true && (await deps.media.publish(earlierIntent)))
        return { kind: 'completed', ...resultOf(earlierIntent), ...withScratch() };
      if (!(await abandon(earlierIntent))) return lost();
      await deps.media.unpublish(earlierIntent);
      openIntent = undefined;
      await deps.media.discard({ name: earlierIntent.scratch });
      usedScratch = undefined;
    }
    if (job.cancelRequestedAt !== undefined) throw new JobFailed(CANCELLED_ON_REQUEST);
    if (claim.exhausted) throw new JobFailed(WORKER_LOST);
    const terms = await waitForStore(() => deps.clientContextOf(job.clientId));
    const { root, policy } = terms;
    if (terms.isRevoked) throw new JobFailed(CLIENT_REVOKED);
    const planned = await waitForStore(() => deps.planner(job.request, terms));
    if (!planned.ok) {
      const needs = await waitForStore(() => deps.needsElsewhere(job.request, terms));
      if (needs !== undefined) return { kind: 'unfit', needs, ...withScratch() };
      throw new JobFailed(noLongerSupported(planned.errors[0]?.message));
    }
    const { plan } = planned;
    const freeBefore = await deps.media.freeBytes();
    if (freeBefore < deps.minFreeBytes) throw new JobFailed(LOW_DISK_SPACE);

    const scratch = await deps.media.openScratch(job.jobId, claim.fence);
    usedScratch = scratch;
    const inputs = await deps.media.stage(root, scratch, plan.inputs, plan.output, {
      signal,
      checkSizes: (sizes) => checkInputSize(sizes, policy),
      onProgress: (percent) => heartbeat.setProgress({ percent }, ''),
    });
    checkInputSize(inputs, policy);
    const watched = deps.space.watch(scratch, policy, freeBefore);
    space = watched;
    const outcome = await deps
      .convert({
        plan,
        policy,
        scratch,
        inputs,
        signal: AbortSignal.any([signal, watched.signal]),
        onCountable: watched.countDeletedFiles,
        onStart: () => heartbeat.setPhase('CONVERTING'),
        onProgress: (progress, logSoFar) => heartbeat.setProgress(progress, logSoFar),
        onFault: (error) => deps.onInternalError(job.jobId, error),
      })
      .finally(watched.end);
    log = outcome.log;
    if (signal.aborted && !outcome.ok) return { kind: 'stopped', cause: signal.reason as StopCause, ...withScratch() };
    if (!outcome.ok)
      return await failed(watched.signal.aborted ? (watched.signal.reason as Failure) : outcome.failure, outcome.raw);
    if (await watched.hasMetFullDisk()) throw new JobFailed(LOW_DISK_SPACE);
    await checkScratchSize(deps.media, scratch, policy);
    const warnings = [...sequenceGaps(plan.inputs, inputs), ...outcome.warnings];
    if (job.request.strict === true && warnings.length > 0)
      return { ...(await failed(strictFailure(warnings), undefined)), warnings };

    heartbeat.setPhase('PUBLISHING');
    onConverted();
    const prepared = await deps.media.prepare(root, scratch, plan.output, outcome.main, inputs, signal);
    const intent: PublishIntent = warnings.length === 0 ? prepared : { ...prepared, warnings };
    if (!(await waitForStore(() => deps.jobs.recordIntent(claim, intent)))) return lost();
    openIntent = intent;
    deps.failpoint('after-intent');
    if (!(await deps.media.publish(intent))) throw new JobFailed(STAGED_FILE_VANISHED);
    return { kind: 'completed', ...resultOf(intent), ...withScratch() };
  } catch (error) {
    if (signal.aborted && error === signal.reason)
      return { kind: 'stopped', cause: signal.reason as StopCause, ...withScratch() };
    if (openIntent !== undefined && !(await abandon(openIntent))) return lost();
    // If the files cannot be unpublished, files and row stay as after a crash, and the next attempt unpublishes them. The
    // last attempt gives up.
    if (openIntent !== undefined)
      await deps.media.unpublish(openIntent).catch((unpublishError) => {
        if (!claim.exhausted) throw unpublishError;
      });
    if (error instanceof JobFailed) return await failed(error.failure, error.cause, error.nonRetryable);
    if (usedScratch !== undefined) await deps.media.discard(usedScratch).catch(() => undefined);
    throw error;
  }
}

const resultOf = ({ outputs, warnings }: PublishIntent): Pick<PublishIntent, 'outputs' | 'warnings'> => ({
  outputs,
  ...(warnings && { warnings }),
});

const WORKER_LOST: Failure = {
  code: 'WORKER_LOST',
  message: `The worker of this job was lost ${MAX_ATTEMPTS} times (it crashed, was killed, or could not reach the database); the job is not attempted again.`,
  fix: hint`Check the service and its machine (memory, restarts, network), then ${RETRY_JOB}.`,
};

const OUTPUT_TOO_LARGE: Failure = {
  code: 'NO_SPACE',
  message: 'The conversion used all free disk space except the reserve.',
  fix: 'Lower the bit rate or the length of the output (a looped input needs "t"), or ask the operator for a larger disk.',
};

/** The failure of a strict job whose run has warnings. */
function strictFailure([first, ...others]: readonly Warning[]): Failure {
  const more = others.length === 0 ? '' : ` And ${others.length} more: see "warnings".`;
  return {
    code: 'STRICT_WARNING',
    message: `The job is strict, and its run has a warning, ${first?.code}: ${first?.message}${more}`,
    fix: `${first?.fix === undefined ? '' : `${first.fix} `}To get the output in spite of warnings, leave "strict" out.`,
  };
}

const STAGED_FILE_VANISHED: Failure = {
  code: 'STORAGE_FAULT',
  message: 'The finished file vanished before it was published.',
  fix: hint`${RETRY_JOB}.`,
};

/** The failure if the builds of all workers, or the sandbox, have changed since the job was accepted. */
const noLongerSupported = (reason: string | undefined): Failure => ({
  code: 'UNSUPPORTED',
  message: `The worker cannot run this job: ${reason ?? 'the installed ffmpeg no longer supports the request.'}`,
});
