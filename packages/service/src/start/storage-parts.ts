import type { StoreLimits } from '@telecine/contract/domain/client.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { OpenEventCounter } from '../auth/ports.ts';
import type { FileStore, UploadParts } from '../files/ports.ts';
import type { JobChange } from '../jobs/job-changes.ts';
import type { JobQueue } from '../jobs/ports/job-queue.ts';
import type { MediaStore } from '../jobs/ports/media-store.ts';
import type { ProbeCopies } from '../media/scratch/probe-copies.ts';
import type { DataSpace } from '../store/data-space.ts';
import type { Store } from '../store/store.ts';

/** The storage of jobs, clients and the queue. */
export interface Database {
  readonly store: Store;
  readonly queue: JobQueue;
  /** The free space on the disk of the database, if that is a disk of this machine. */
  readonly dataSpace: DataSpace;
  /** Whether other services may use the database, accept its jobs and run them. */
  readonly isShared: boolean;
  /** Opens a counter for a limit per minute that all services on the database share. */
  readonly openCounter: OpenEventCounter;
  /** Calls `onChange` for the job changes of other services. Returns the function that sends them a change of this service. */
  connectChanges(onChange: (change: JobChange) => void): (change: JobChange) => void;
}

/** The storage of media: local disks or a bucket. */
export interface MediaStorage {
  readonly media: MediaStore;
  readonly files: FileStore;
  readonly uploadParts: UploadParts;
  /**
   * The media root of a client, with its grants for other buckets and URLs. `root`: from its record; undefined for the media root of
   * the service.
   */
  rootOf(root: string | undefined, clientId: string, limits: StoreLimits): MediaRoot;
  /** The folder that contains the scratch folders. A service that runs jobs locks it. */
  readonly scratchRoot: string;
  /** The copies of files that probes have fetched. */
  readonly copies: ProbeCopies;
  readonly lockDir: string;
  /** Checks a storage that is not a disk. Resolves to the fault, or to undefined. */
  readonly checkStorage?: () => Promise<string | undefined>;
}
