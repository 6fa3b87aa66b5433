import type { Progress } from '../../domain/job.ts';
import type { JobPhase } from '../../domain/states.ts';
import type { Claim, Delivery, JobQueue, JobStore, ProgressUpdate } from '../ports.ts';

/** Why a running conversion is ended from outside; the first cause wins. */
export type StopCause = 'cancel' | 'drain' | 'lost';

export interface HeartbeatDeps {
  readonly jobs: Pick<JobStore, 'progress'>;
  readonly queue: Pick<JobQueue, 'renewLease'>;
  readonly onFault: (jobId: string, error: unknown) => void;
}

/** Keeps a running job's row and lease alive, and learns by the way that it is to stop. */
export interface Heartbeat {
  /** Written at once. */
  setPhase(phase: JobPhase): void;
  /** Written with the next beat. */
  setProgress(progress: Progress, log: string): void;
  /** Resolves when no write is under way any more. */
  stop(): Promise<void>;
}

const BEAT_MS = 1000;
/** A third of the queue's lease: two may fail before it ends. */
const TOUCH_EVERY_BEATS = 5;

/** Aborts `stop` with a `StopCause` when the claim is lost or a cancel was asked for. */
export function startHeartbeat(
  deps: HeartbeatDeps,
  claim: Claim,
  delivery: Delivery,
  stop: AbortController,
): Heartbeat {
  let update: ProgressUpdate = { phase: 'STAGING' };
  let writtenLog = '';
  let beats = 0;
  let writing: Promise<void> | undefined;
  let stopped = false;

  const beat = async (): Promise<void> => {
    beats += 1;
    try {
      if (beats % TOUCH_EVERY_BEATS === 0 && !(await deps.queue.renewLease(delivery))) return stop.abort('lost');
      const { log, ...rest } = update;
      const grown = log !== undefined && log.length > writtenLog.length;
      const seen = await deps.jobs.progress(claim, grown ? update : rest);
      if (grown) writtenLog = log;
      if (seen === undefined) stop.abort('lost');
      else if (seen.cancelRequested) stop.abort('cancel');
    } catch (error) {
      // Not the job's fault: it goes on, and the lease decides.
      deps.onFault(claim.job.jobId, error);
    }
  };
  const beatOnce = (): void => {
    if (stopped) return;
    writing ??= beat().finally(() => {
      writing = undefined;
    });
  };
  const timer = setInterval(beatOnce, BEAT_MS);
  return {
    setPhase: (phase) => {
      update = { ...update, phase };
      beatOnce();
    },
    setProgress: (progress, log) => {
      update = { phase: update.phase, progress, log };
    },
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await writing;
    },
  };
}
