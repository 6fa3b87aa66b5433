import type { Lane } from '../domain/lane.ts';
import type { RunningJob, WorkerRecord } from './ports.ts';

/**
 * What operators see of a worker. `running`: it takes jobs. `draining`: it takes none and still runs some. `drained`: it
 * was told to drain, and runs none. `stopped`: its process has ended. `lost`: it reports no more; it was killed, or it
 * cannot reach the database.
 */
export type ShownState = 'running' | 'draining' | 'drained' | 'stopped' | 'lost';

/** A worker as operators see it. */
export interface WorkerStatus extends Omit<WorkerRecord, 'state'> {
  readonly state: ShownState;
  readonly jobs: readonly RunningJob[];
}

/** The queued jobs of one lane. */
export interface QueuedJobs {
  readonly lane: Lane;
  readonly jobs: number;
  /** How long the oldest of them is queued. */
  readonly oldestSeconds: number;
}

/** What a client has in the queue. */
export interface ClientQueue {
  readonly clientId: string;
  readonly queued: readonly QueuedJobs[];
  /** How many of its jobs run. */
  readonly running: number;
}

/** The queue as operators see it. */
export interface QueueStatus {
  /** Absent if the queue is not paused. */
  readonly pausedAt?: string;
  readonly queued: readonly QueuedJobs[];
  /** The clients with the most queued jobs, then those with running ones. */
  readonly clients: readonly ClientQueue[];
}

/** What operators do with the queue and the workers, for HTTP. */
export interface WorkerOperations {
  queue(): Promise<QueueStatus>;
  /** Pauses the queue: jobs are accepted and running ones go on, but none starts. */
  pauseQueue(): Promise<QueueStatus>;
  resumeQueue(): Promise<QueueStatus>;
  /** Lists the workers that were seen in the last minutes, oldest first. */
  list(): Promise<readonly WorkerStatus[]>;
  /** Tells a worker to take no more jobs. Running ones go on. Throws WORKER_NOT_FOUND. */
  drain(workerId: string): Promise<WorkerStatus>;
  /** Tells a worker to take jobs again. Throws WORKER_NOT_FOUND. */
  resume(workerId: string): Promise<WorkerStatus>;
}
