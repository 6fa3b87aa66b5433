import type { WorkerDevice } from '@telecine/contract/domain/devices.ts';
import type { JobPhase } from '@telecine/contract/domain/states.ts';

/** `draining`: it takes no more jobs because it stops. A killed worker stays `running`, but reports no more. */
export type WorkerState = 'running' | 'draining' | 'stopped';

/** What a worker process states about itself when it starts. */
export interface WorkerDescription {
  /** A UUID (version 7) that each process makes when it starts. */
  readonly workerId: string;
  readonly hostName: string;
  readonly pid: number;
  readonly version: string;
  /** The version of its ffmpeg, as `ffmpeg -version` has it. */
  readonly ffmpegVersion: string;
  /** The hash of its ffmpeg; see `Build.key`. */
  readonly buildKey: string;
  /** The key of its catalogue in `CatalogueStore`. It changes when the catalogue is complete. */
  readonly catalogueKey: string;
  /** How many conversions it runs at the same time. */
  readonly concurrency: number;
  /** The number of processors that it may use. */
  readonly processors: number;
  readonly sandbox: 'bubblewrap' | 'landlock' | 'none';
  /** Whether it has ffprobe, and so runs probes for other machines. Absent: unknown. */
  readonly hasFfprobe?: boolean;
  /** The hardware devices that its jobs may use. Absent if it has none. */
  readonly devices?: readonly WorkerDevice[];
}

export interface WorkerReport {
  readonly state: WorkerState;
  /** The free bytes on the fullest of the disks that it writes conversions to. */
  readonly freeScratchBytes: number;
}

/** A worker as other processes see it. Times are by the clock of the database. */
export interface WorkerRecord extends WorkerDescription, WorkerReport {
  readonly startedAt: string;
  readonly lastSeenAt: string;
  /** When an operator drained it. Absent if it is not drained. */
  readonly drainRequestedAt?: string;
}

/** In seconds: the interval of a worker's heartbeats, and how long it is live after one. */
export const REPORT_SECONDS = 5;
export const LIVE_SECONDS = 20;

const PARTIAL = '-partial';

/** The key of an incomplete catalogue. */
export const partialKeyOf = (catalogueKey: string): string => `${catalogueKey}${PARTIAL}`;

/** Whether a catalogue still lacks facts. Its workers add them by tasks. */
export const isPartialKey = (catalogueKey: string): boolean => catalogueKey.endsWith(PARTIAL);

/** The key of the complete catalogue of a build. `catalogueKey`: the key that one of its workers has now. */
export const completeKeyOf = (catalogueKey: string): string =>
  isPartialKey(catalogueKey) ? catalogueKey.slice(0, -PARTIAL.length) : catalogueKey;

/** The workers of all processes on the database. */
export interface WorkerStore {
  /** Stores a report and the key of the catalogue, with the whole description for a new worker. */
  report(worker: WorkerDescription, report: WorkerReport): Promise<void>;
  /** Lists the workers that reported within the last `seconds`, whatever their state, oldest first. */
  seenWithin(seconds: number): Promise<readonly WorkerRecord[]>;
  /** Does the same for several times in one statement: one list for each time. */
  seenWithinEach<const T extends readonly [number, ...number[]]>(
    seconds: T,
  ): Promise<{ readonly [K in keyof T]: readonly WorkerRecord[] }>;
  /** Drains a worker, or lets it continue. Resolves to false if there is no such worker. */
  requestDrain(workerId: string, isDraining: boolean): Promise<boolean>;
  /**
   * Removes the workers without a report for `seconds`, and catalogues without a worker. The last worker with each
   * build and set of devices stays for `buildSeconds`, because requests are accepted for its build, unless its
   * catalogue is partial.
   */
  removeUnseen(seconds: number, buildSeconds: number): Promise<void>;
}

export interface RunningJob {
  readonly jobId: string;
  readonly clientId: string;
  /** Absent: unknown. */
  readonly workerId?: string;
  readonly phase: JobPhase;
  readonly claimedAt?: string;
}

/** The orders of operators to all workers, and the running jobs. */
export interface QueueControl {
  /** When the queue was paused. Undefined if it is not. */
  pausedAt(): Promise<string | undefined>;
  /** Pauses the queue: no worker takes a job. A second call changes nothing. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Whether the worker may claim jobs: the queue is not paused, and the worker is not drained. */
  mayClaim(workerId: string): Promise<boolean>;
  runningJobs(): Promise<readonly RunningJob[]>;
}

/** The catalogues of the workers' ffmpeg builds, encoded by `ffmpeg/catalogue`. */
export interface CatalogueStore {
  /** Stores a catalogue, unless its key exists. A worker reports first, because a catalogue without a worker may be removed. */
  add(key: string, content: Uint8Array): Promise<void>;
  has(key: string): Promise<boolean>;
  read(key: string): Promise<Uint8Array | undefined>;
}
