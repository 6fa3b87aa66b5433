import { realpath, statfs } from 'node:fs/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import type { MediaStore } from '../../jobs/ports/media-store.ts';
import { rethrow } from '../errno-codes.ts';
import { storageFailure } from '../job-failures.ts';
import { openScratchFolders, type ScratchFolders, type ScratchOptions } from '../scratch/scratch-folders.ts';
import { removeWithUploads } from '../scratch/scratch-uploads.ts';
import { stagedAs } from '../staged-inputs.ts';
import { type NamedBucket, namedBuckets } from './bucket.ts';
import type { S3Location } from './location.ts';
import { openS3Objects, type S3ObjectsOptions } from './objects.ts';
import { recentCopies } from './staging/recent-copies.ts';
import type { S3Input } from './staging/stage.ts';

export interface S3MediaOptions
  extends ScratchOptions,
    Omit<S3ObjectsOptions, 'buckets' | 'folders' | 'freeBytes' | 'recent'> {
  readonly client: S3Client;
  /** The bucket, or the part of it, with the media roots. */
  readonly storage: S3Location;
  /** Other buckets, which requests name by their addresses (`s3://…`). */
  readonly named?: readonly NamedBucket[];
}

/** With less free space than this many times the reserve, no copies of earlier inputs are kept. */
const ENOUGH_RESERVES = 2;

/** The S3 media engine. `close` closes the folders that it keeps open. */
export interface S3Media extends MediaStore {
  readonly folders: ScratchFolders;
  close(): Promise<void>;
}

/**
 * Creates the media engine for a bucket. Inputs are copied to local scratch folders, and ffmpeg writes there. Services
 * that share the bucket must share the database.
 */
export async function s3Media(options: S3MediaOptions): Promise<S3Media> {
  const folder = await realpath(options.folder);
  const folders = await openScratchFolders({ ...options, folder });
  const readFree = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folders.parent().pathOf('.')).catch(
      rethrow((error) => storageFailure('reading the free disk space', error)),
    );
    return bavail * bsize;
  };
  const recent = recentCopies({ copies: options.copies, freeBytes: readFree });
  const freeBytes = async (): Promise<number> => {
    const free = await readFree();
    if (recent.isEmpty() || free >= ENOUGH_RESERVES * options.minFreeBytes) return free;
    await recent.clear();
    return readFree();
  };
  const { client, storage } = options;
  const buckets = namedBuckets(options.named ?? [], { client, location: storage });
  const objects = await openS3Objects({ ...options, buckets, folders, freeBytes, recent });
  return {
    folders,
    ...folders.space,
    openScratch: (...attempt) =>
      folders.space
        .openScratch(...attempt)
        .catch(rethrow((error) => storageFailure('creating the scratch folder', error))),
    freeBytes,
    ...removeWithUploads(folders.space, {
      ...options,
      dropUploads: objects.dropUploads,
      isOpen: folders.isOpen,
    }),
    ...objects,
    mounts: (inputs) => inputs.map(stagedAs<S3Input>),
    close: async () => {
      await recent.clear();
      await folders.close();
    },
  };
}
