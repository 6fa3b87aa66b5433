import type { PhaseStart, Progress } from '@telecine/contract/domain/job.ts';
import { shareRunning } from '@telecine/contract/domain/remember.ts';
import type { JobPhase } from '@telecine/contract/domain/states.ts';
import type { JobChangeSink } from '../job-changes.ts';
import type { Delivery, JobQueue } from '../ports/job-queue.ts';
import type { Claim, JobClaims, ProgressUpdate } from '../ports/job-store.ts';

/**
 * Why a running conversion stops: its job was cancelled, its client was revoked, its worker drains, or its claim was
 * lost. The first cause counts.
 */
export type StopCause = 'cancel' | 'revoked' | 'drain' | 'lost';

export interface HeartbeatDeps {
  readonly jobs: Pick<JobClaims, 'progress'>;
  readonly queue: Pick<JobQueue, 'renewLease'>;
  readonly changes: JobChangeSink;
  /** Returns whether the client is revoked. Another process may revoke it while its job runs. */
  readonly isRevoked: (clientId: string) => Promise<boolean>;
  readonly now: () => Date;
  readonly onInternalError: (jobId: string, error: unknown) => void;
}

export interface AttemptTimings {
  /** The seconds that each phase took. A phase that did not begin is absent. */
  readonly phaseSeconds: Readonly<Partial<Record<JobPhase, number>>>;
  /** The speed of the conversion, in seconds of media per second. Absent if the conversion reported none. */
  readonly speed?: number;
}

export type Heartbeat = ReturnType<typeof startHeartbeat>;

const BEAT_INTERVAL_MS = 1000;
const PHASE_DELAY_MS = 500;
/** The age at which a lease is renewed. A lease lasts 15 s. If the renewal fails, each heartbeat tries again. */
const RENEWAL_MS = 5000;

/**
 * Starts the heartbeat of a running job: stores its phase and progress every second, and renews its lease. Aborts
 * `stop` with a `StopCause` if the claim is lost, the job is cancelled or the client is revoked.
 */
export function startHeartbeat(deps: HeartbeatDeps, claim: Claim, delivery: Delivery, stop: AbortController) {
  const { jobId, clientId } = claim.job;
  let update: ProgressUpdate = { phase: 'STAGING' };
  let stored: ProgressUpdate = update;
  let renewedAt = deps.now().getTime();
  let stopped = false;
  const endedPhases: Partial<Record<JobPhase, number>> = {};
  let phaseStartMs = performance.now();
  const nowIso = (): string => deps.now().toISOString();
  let phases: readonly PhaseStart[] = claim.job.phases ?? [{ phase: 'STAGING', startedAt: nowIso() }];
  let storedPhases = phases;

  const publishChanges = (previous: ProgressUpdate, { phase, progress }: ProgressUpdate): void => {
    if (phase !== previous.phase) deps.changes.publish({ kind: 'phase', jobId, clientId, phase });
    if (progress !== undefined && progress !== previous.progress)
      deps.changes.publish({ kind: 'progress', jobId, clientId, progress });
  };
  /**
   * Renews the lease if its last renewal is at least `RENEWAL_MS` ago, or if the clock was set back. Resolves to false
   * if the lease is lost.
   */
  const renewOldLease = async (): Promise<boolean> => {
    const at = deps.now().getTime();
    if (Math.abs(at - renewedAt) < RENEWAL_MS) return true;
    if (!(await deps.queue.renewLease(delivery))) return false;
    renewedAt = at;
    return true;
  };
  const beat = shareRunning(async (): Promise<void> => {
    if (stopped) return;
    try {
      if (!(await renewOldLease())) return stop.abort('lost');
      const previous = stored;
      const next = update;
      const begun = phases;
      const { log = '', ...withoutLog } = next;
      const logHasGrown = log.length > (previous.log ?? '').length;
      const written = logHasGrown ? next : withoutLog;
      const row = await deps.jobs.progress(claim, begun === storedPhases ? written : { ...written, phases: begun });
      if (row === undefined) return stop.abort('lost');
      storedPhases = begun;
      stored = logHasGrown ? next : { ...previous, ...withoutLog };
      publishChanges(previous, next);
      if (row.cancelRequested) stop.abort('cancel');
      else if (await deps.isRevoked(clientId)) stop.abort('revoked');
    } catch (error) {
      // Let the job continue: even an expired lease can be renewed until another worker takes the ticket.
      deps.onInternalError(jobId, error);
    }
  });
  const timer = setInterval(beat, BEAT_INTERVAL_MS);
  let phaseTimer: NodeJS.Timeout | undefined;
  return {
    /** Stores the phase after `PHASE_DELAY_MS`. A phase that ends earlier costs no transaction. */
    setPhase: (phase: JobPhase): void => {
      // A job can be in a phase twice: it measures an input to cut it, then tries samples, and then converts.
      endedPhases[update.phase] = (endedPhases[update.phase] ?? 0) + (performance.now() - phaseStartMs) / 1000;
      phaseStartMs = performance.now();
      phases = [...phases, { phase, startedAt: nowIso() }];
      // Drop the progress of the phase before, because the next one reports its own.
      update = phase === 'PUBLISHING' ? { ...update, phase } : { phase };
      clearTimeout(phaseTimer);
      phaseTimer = setTimeout(beat, PHASE_DELAY_MS);
    },
    /** Stores the progress at the next heartbeat. */
    setProgress: (progress: Progress, log: string): void => {
      update = { phase: update.phase, progress, log };
    },
    phase: (): JobPhase => update.phase,
    phases: (): readonly PhaseStart[] => phases,
    /** Returns how long each phase took so far, and the last known speed of the conversion. */
    timings: (): AttemptTimings => {
      const speed = update.progress?.speed;
      return {
        phaseSeconds: {
          ...endedPhases,
          [update.phase]: (endedPhases[update.phase] ?? 0) + (performance.now() - phaseStartMs) / 1000,
        },
        ...(speed !== undefined && { speed }),
      };
    },
    /** Stops the heartbeat. Resolves when its last write has ended. */
    stop: async (): Promise<void> => {
      stopped = true;
      clearInterval(timer);
      clearTimeout(phaseTimer);
      await beat.started();
    },
  };
}
