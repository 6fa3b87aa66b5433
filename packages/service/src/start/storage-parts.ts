import type { StoreLimits } from '@telecine/contract/domain/client.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { OpenEventCounter } from '../auth/ports.ts';
import type { FileStore, UploadParts } from '../files/ports.ts';
import type { JobChange, WatchChange } from '../jobs/job-changes.ts';
import type { ChunkFiles } from '../jobs/ports/chunk-files.ts';
import type { JobQueue } from '../jobs/ports/job-queue.ts';
import type { MediaStore } from '../jobs/ports/media-store.ts';
import type { Receipts } from '../jobs/ports/receipts.ts';
import type { ProbeCopies } from '../media/scratch/probe-copies.ts';
import type { DataSpace } from '../store/data-space.ts';
import type { Store } from '../store/store.ts';

/** Receive the changes of jobs and of watches. */
export interface ChangeListeners {
  onJob(change: JobChange): void;
  onWatch(change: WatchChange): void;
}

/** The storage of jobs, clients and the queue. */
export interface Database {
  readonly store: Store;
  readonly queue: JobQueue;
  /** The free space on the disk of the database. Unlimited if the disk belongs to another machine. */
  readonly dataSpace: DataSpace;
  /** Whether other services can use this database, and so accept and run its jobs. */
  readonly isShared: boolean;
  /** Opens a counter for a limit per minute. All services on the database share the counter. */
  readonly openCounter: OpenEventCounter;
  /** Calls `received` when another service changes a job or a watch. Returns what sends the changes of this service to the others. */
  connectChanges(received: ChangeListeners): ChangeListeners;
}

/** The storage of media, on local disks or in a bucket. */
export interface MediaStorage {
  readonly media: MediaStore;
  readonly files: FileStore;
  readonly uploadParts: UploadParts;
  /**
   * Returns the media root of a client, with its access to other buckets and URLs. `root`: the root in the client's record. undefined: the
   * media root of the service.
   */
  rootOf(root: string | undefined, clientId: string, limits: StoreLimits): MediaRoot;
  /** Returns a media root as a text that ends with a slash. It begins with that of each media root of which it is a part. */
  folderOf(root: MediaRoot): string;
  /** Whether the media root is on a disk of this machine, so that a look at a file is no request. */
  readonly isLocalDisk?: boolean;
  /** The parent of the scratch folders. A service that runs jobs locks it. */
  readonly scratchRoot: string;
  /** Copies of files that probes have downloaded. */
  readonly copies: ProbeCopies;
  readonly lockDir: string;
  /** Stores encoded chunks where all workers can read them. Absent if there is no such place. */
  readonly chunkFiles?: ChunkFiles;
  readonly receipts: Receipts;
  /** Checks the storage if it is not a disk; see `bucketCheck`. Resolves to the error text, or to undefined if there is no error. */
  readonly checkStorage?: (isNow: boolean) => Promise<string | undefined>;
}

/** The part of the id of an installation that is in the names of its folders. */
export const shortId = (installationId: string): string => installationId.replaceAll('-', '').slice(0, 16);

/** The name of the folder with the encoded chunks. All services on a database use the same. */
export const chunksFolder = async (store: Pick<Store, 'installationId'>): Promise<string> =>
  `chunks-${shortId(await store.installationId())}`;
