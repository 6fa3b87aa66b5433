import type { OpenEventCounter } from '../../auth/ports.ts';
import type { JobChange } from '../../jobs/job-changes.ts';
import type { JobQueue } from '../../jobs/ports/job-queue.ts';
import type { DataSpace } from '../../store/data-space.ts';
import type { Store } from '../../store/store.ts';

/** The storage of jobs, clients and the queue. */
export interface Database {
  readonly store: Store;
  readonly queue: JobQueue;
  /** The free space on the disk of the database, if that is a disk of this machine. */
  readonly dataSpace: DataSpace;
  /** Whether other services may use the database, accept its jobs and run them. */
  readonly isShared: boolean;
  /** Counts what is limited per minute, for all services on the database. */
  readonly openCounter: OpenEventCounter;
  /**
   * Calls `onChange` for the job changes of other services. Returns the function that tells them of a change of this one.
   */
  connectChanges(onChange: (change: JobChange) => void): (change: JobChange) => void;
}
