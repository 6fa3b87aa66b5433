import type { StoreLimits } from '../../domain/client.ts';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { FileStore, UploadParts } from '../../files/ports.ts';
import type { MediaStore } from '../../jobs/ports/media-store.ts';
import type { ProbeCopies } from '../../media/scratch/probe-copies.ts';

/** The storage of media: local disks or a bucket. */
export interface MediaStorage {
  readonly media: MediaStore;
  readonly files: FileStore;
  readonly uploadParts: UploadParts;
  /**
   * The media root of a client. `root`: that of its record; for undefined, the media root of the service. It contains what
   * the client may do in other buckets and with URLs, under its limits.
   */
  rootOf(root: string | undefined, clientId: string, limits: StoreLimits): MediaRoot;
  /** The folder that contains the scratch folders. A service that runs jobs locks it. */
  readonly scratchRoot: string;
  /** The copies of files that are fetched for probes. */
  readonly copies: ProbeCopies;
  /** The folder of that lock. */
  readonly lockDir: string;
  /** Checks a storage that is not a disk. Resolves to what is wrong, or to undefined. */
  readonly checkStorage?: () => Promise<string | undefined>;
}
