import type { Progress } from '../../domain/job.ts';
import type { JobPhase } from '../../domain/states.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { Claim, Delivery, JobQueue, JobStore, ProgressUpdate } from '../ports.ts';

/** Why a running conversion is stopped from outside. The first cause wins. */
export type StopCause = 'cancel' | 'drain' | 'lost';

export interface HeartbeatDeps {
  readonly jobs: Pick<JobStore, 'progress'>;
  readonly queue: Pick<JobQueue, 'renewLease'>;
  readonly changes: JobChangeSink;
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

/** Stores phase and progress of a running job, renews its lease, and learns whether the job has to stop. */
export interface Heartbeat {
  /** Stores the phase a moment later. A phase that is over by then costs no transaction. */
  setPhase(phase: JobPhase): void;
  /** Stores the progress with the next beat. */
  setProgress(progress: Progress, log: string): void;
  /** Ends the heartbeat. Resolves when no write is under way. */
  stop(): Promise<void>;
}

const BEAT_INTERVAL_MS = 1000;
const PHASE_DELAY_MS = 200;
/** A third of the queue's lease: two renewals may fail before the lease expires. */
const BEATS_PER_RENEWAL = 5;

/** Aborts `stop` with a `StopCause` when the claim is lost or the job was cancelled. */
export function startHeartbeat(
  deps: HeartbeatDeps,
  claim: Claim,
  delivery: Delivery,
  stop: AbortController,
): Heartbeat {
  const { jobId, clientId } = claim.job;
  let update: ProgressUpdate = { phase: 'STAGING' };
  let stored: ProgressUpdate = update;
  let beats = 0;
  let writing: Promise<void> | undefined;
  let stopped = false;

  const publishChanges = (previous: ProgressUpdate, { phase, progress }: ProgressUpdate): void => {
    if (phase !== previous.phase) deps.changes.publish({ kind: 'phase', jobId, clientId, phase });
    if (progress !== undefined && progress !== previous.progress)
      deps.changes.publish({ kind: 'progress', jobId, clientId, progress });
  };
  const beat = async (): Promise<void> => {
    beats += 1;
    try {
      if (beats % BEATS_PER_RENEWAL === 0 && !(await deps.queue.renewLease(delivery))) return stop.abort('lost');
      const previous = stored;
      const next = update;
      const { log = '', ...withoutLog } = next;
      const logHasGrown = log.length > (previous.log ?? '').length;
      const row = await deps.jobs.progress(claim, logHasGrown ? next : withoutLog);
      if (row === undefined) return stop.abort('lost');
      stored = logHasGrown ? next : { ...previous, ...withoutLog };
      publishChanges(previous, next);
      if (row.cancelRequested) stop.abort('cancel');
    } catch (error) {
      // The job goes on. Where the store stays unreachable, the lease expires.
      deps.onInternalError(jobId, error);
    }
  };
  const beatOnce = (): void => {
    if (stopped) return;
    writing ??= beat().finally(() => {
      writing = undefined;
    });
  };
  const timer = setInterval(beatOnce, BEAT_INTERVAL_MS);
  let phaseTimer: NodeJS.Timeout | undefined;
  return {
    setPhase: (phase) => {
      update = { ...update, phase };
      clearTimeout(phaseTimer);
      phaseTimer = setTimeout(beatOnce, PHASE_DELAY_MS);
    },
    setProgress: (progress, log) => {
      update = { phase: update.phase, progress, log };
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      clearTimeout(phaseTimer);
      await writing;
    },
  };
}
