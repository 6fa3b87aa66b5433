import type { WorkerDevice } from '@telecine/contract/domain/devices.ts';
import type { JobPhase, JobStatus } from '@telecine/contract/domain/states.ts';

/**
 * The state that a worker reports. `draining`: it takes no more jobs because it stops. A worker that was killed keeps
 * the state `running`, but no longer reports.
 */
export type WorkerState = 'running' | 'draining' | 'stopped';

/** The machine on which a worker runs. Workers on one machine share its processors. */
export interface WorkerMachine {
  /** A hash that only the workers on this machine have, until it restarts. */
  readonly id: string;
  /** The processors on which the kernel may run the worker, such as `0-3,8`. A quota of time does not change them. */
  readonly cpus: string;
}

/** How a worker describes itself when it starts. */
export interface WorkerDescription {
  /** A UUID version 7, which each process creates when it starts. */
  readonly workerId: string;
  readonly hostName: string;
  readonly pid: number;
  readonly version: string;
  /** The version of the ffmpeg of the worker, as `ffmpeg -version` prints it. */
  readonly ffmpegVersion: string;
  /** The hash of the ffmpeg of the worker. See `Build.key`. */
  readonly buildKey: string;
  /** The key of the worker's catalogue in `CatalogueStore`. */
  readonly catalogueKey: string;
  readonly concurrency: number;
  /** The number of processors that the worker may use: those of the machine, unless it has a limit of its own. */
  readonly processors: number;
  /** Absent: unknown. */
  readonly machine?: WorkerMachine;
  readonly sandbox: 'bubblewrap' | 'landlock' | 'none';
  /** true: the worker has ffprobe and can run probes for other machines. Absent: unknown. */
  readonly hasFfprobe?: boolean;
  /** The hardware devices that jobs of the worker may use. Absent if there are none. */
  readonly devices?: readonly WorkerDevice[];
}

export interface WorkerReport {
  readonly state: WorkerState;
  /** The free bytes of the disk with the least free space, among those to which conversions write. */
  readonly freeScratchBytes: number;
  /** Absent: the worker runs no jobs yet. */
  readonly load?: WorkerLoad;
  /** The failing checks of the worker's machine. Until they pass, the worker takes no jobs. Absent: the worker is ready. */
  readonly failedChecks?: readonly FailedCheck[];
}

/** A check of `/ready` that fails on the machine of a worker. */
export interface FailedCheck {
  readonly check: string;
  readonly message: string;
}

/** How busy a worker was at its last report. */
export interface WorkerLoad {
  /** The slots that are in use, without the additional room for light jobs. */
  readonly slots: number;
  /** How many cores these conversions want together. */
  readonly cores: number;
  /** When the first of them probably ends, in seconds after the report. Absent: unknown, or overdue, or none runs. */
  readonly endsInSeconds?: number;
  /** The jobs that it ran, up to `MAX_REPORTED_JOBS`. If the worker is lost, this tells which jobs it left. Absent: none. */
  readonly jobIds?: readonly string[];
}

export const MAX_REPORTED_JOBS = 100;

/** A worker as other processes see it. Times are by the clock of the database. */
export interface WorkerRecord extends WorkerDescription, WorkerReport {
  readonly startedAt: string;
  readonly lastSeenAt: string;
  /** When an operator drained the worker. Absent if it is not drained. */
  readonly drainRequestedAt?: string;
}

/** How often a worker reports, and how long it counts as live after a report, in seconds. */
export const REPORT_SECONDS = 5;
export const LIVE_SECONDS = 20;

/** For how long a lost worker is listed, in seconds. An operator who looks on the next day still sees it. */
export const LOST_SECONDS = 86_400;

export interface WorkerStore {
  /**
   * Stores a report and the key of the catalogue. For a new worker, also stores its description. Resolves to the time of the
   * report by the clock of the database.
   */
  report(worker: WorkerDescription, report: WorkerReport): Promise<string>;
  /** Lists the workers that reported within the last `seconds`, in any state, oldest first. */
  seenWithin(seconds: number): Promise<readonly WorkerRecord[]>;
  /** Like `seenWithin`, but for several times in one query. Returns one list for each time. */
  seenWithinEach<const T extends readonly [number, ...number[]]>(
    seconds: T,
  ): Promise<{ readonly [K in keyof T]: readonly WorkerRecord[] }>;
  /** Drains a worker, or ends the drain. Resolves to false if the worker does not exist. */
  requestDrain(workerId: string, isDraining: boolean): Promise<boolean>;
  /**
   * Removes workers that have not reported for `seconds`, and catalogues that no worker has. Keeps the last worker with
   * each build and set of devices for `buildSeconds`, because requests are accepted for its build, and workers that were
   * lost for `lostSeconds` (default: `seconds`), because operators look for them.
   */
  removeUnseen(seconds: number, buildSeconds: number, lostSeconds?: number): Promise<void>;
}

export interface RunningJob {
  readonly jobId: string;
  readonly clientId: string;
  /** Absent: unknown. */
  readonly workerId?: string;
  readonly phase: JobPhase;
  readonly claimedAt?: string;
}

/** A job that a worker had, and its status now. */
export interface JobOfWorker {
  readonly jobId: string;
  readonly clientId: string;
  readonly status: JobStatus;
}

/** Stores the orders of operators to all workers, and reads the running jobs. */
export interface QueueControl {
  /** Reads when the queue was paused. undefined: it is not paused. */
  pausedAt(): Promise<string | undefined>;
  /** Pauses the queue, so that no worker takes a job. A second call changes nothing. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Returns whether the worker may claim jobs: the queue is not paused, and the worker is not drained. */
  mayClaim(workerId: string): Promise<boolean>;
  runningJobs(): Promise<readonly RunningJob[]>;
  /** Returns the statuses of the jobs with these ids that exist, in any order. */
  statusesOf(jobIds: readonly string[]): Promise<readonly JobOfWorker[]>;
}

/** Stores the catalogues of the ffmpeg builds of workers, which `ffmpeg/catalogue` encodes. */
export interface CatalogueStore {
  /**
   * Stores a catalogue, unless its key exists. A worker must report its catalogue key first: a catalogue that no worker
   * has may be removed.
   */
  add(key: string, content: Uint8Array): Promise<void>;
  has(key: string): Promise<boolean>;
  read(key: string): Promise<Uint8Array | undefined>;
}
