import { mkdir, realpath, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import { v7 as uuid } from 'uuid';
import type { MediaRoot } from '../../domain/media-root.ts';
import type { MediaStore, OutputUploads, StagedInput } from '../../jobs/ports.ts';
import { failed, storageFailure as fileStorageFailure } from '../job-failures.ts';
import { scratchName } from '../scratch/scratch.ts';
import { openScratchFolders, type ScratchOptions } from '../scratch/scratch-folders.ts';
import type { Bucket } from './bucket.ts';
import { rootLocation, type S3Location } from './location.ts';
import type { KeyLocks } from './locks/key-locks.ts';
import { abortRecorded } from './publish/abort-uploads.ts';
import { readIntent } from './publish/intent.ts';
import { type PublishDeps, type PublishStep, prepareOutputs } from './publish/prepare.ts';
import { publish } from './publish/publish.ts';
import { removeOutputs } from './publish/remove-outputs.ts';
import { unpublish } from './publish/unpublish.ts';
import { storageFailure } from './s3-failures.ts';
import { type S3Input, type StagingDeps, stage, stageFile } from './staging/stage.ts';
import { createPathStats } from './stat-paths.ts';

export interface S3MediaOptions extends ScratchOptions {
  readonly client: S3Client;
  /** The whole storage of the service. */
  readonly storage: S3Location;
  readonly uploads: OutputUploads;
  readonly locks: KeyLocks;
  /** Free disk space that copies of inputs must leave. */
  readonly minFreeBytes: number;
  /** Called after each step of publishing; tests end the process there. */
  readonly failpoint?: (step: PublishStep) => void;
}

/** The S3 engine. `close` closes the folders that it holds open. */
export interface S3Media extends MediaStore {
  close(): Promise<void>;
}

/**
 * Creates the media engine for a bucket of S3 or a compatible server. Conversions read copies of their inputs, and write
 * to local scratch folders. Any number of services may use one storage if they use the same database.
 */
export async function s3Media(options: S3MediaOptions): Promise<S3Media> {
  const { client, storage, uploads, locks, log, failpoint = () => {} } = options;
  const folder = await realpath(options.folder);
  const folders = await openScratchFolders({ ...options, folder });
  // Beside the scratch folders, because a sweep removes everything among them that belongs to no job.
  const scratchParent = folders.parent().real;
  const probes = join(dirname(scratchParent), `probes-${basename(scratchParent)}`);
  await rm(probes, { recursive: true, force: true });
  await mkdir(probes, { mode: 0o700 });
  const bucketOf = (root: MediaRoot): Bucket => ({ client, location: rootLocation(root) });
  const publishing = (bucket: Bucket): PublishDeps => ({ ...bucket, uploads, locks, failpoint });

  const freeBytes = async (): Promise<number> => {
    const { bavail, bsize } = await statfs(folders.parent().pathOf('.')).catch((error) => {
      throw fileStorageFailure('reading the free disk space', error);
    });
    return bavail * bsize;
  };
  const requireSpace = async (bytes: number): Promise<void> => {
    if ((await freeBytes()) - bytes >= options.minFreeBytes) return;
    throw failed('NO_SPACE', 'The disk of the worker has no room for copies of the inputs.');
  };
  const staging = (root: MediaRoot): StagingDeps => ({ ...bucketOf(root), requireSpace });

  /** Aborts the uploads of an attempt and forgets its reservations. */
  const dropUploads = async (scratch: string): Promise<void> => {
    const found = await uploads.find(scratch);
    if (found.uploads.length === 0 && !found.hasReserved) return;
    await abortRecorded(client, found.uploads);
    await uploads.forget(scratch);
  };
  const dropUploadsOf = async (names: readonly string[]): Promise<void> => {
    for (const name of names)
      await dropUploads(name).catch((error) => {
        throw storageFailure('removing the parts of an upload', error);
      });
  };

  return {
    statPaths: createPathStats(client),

    openScratch: folders.openScratch,
    scratchUsage: folders.scratchUsage,
    freeBytes,
    discard: async (scratch) => {
      await folders.discard(scratch);
      await dropUploadsOf([scratchName(scratch.name)]);
    },
    discardEarlier: async (jobId, fence, kept) => {
      await folders.discardEarlier(jobId, fence, kept);
      const names = await uploads.scratchNames();
      await dropUploadsOf(
        names.filter((name) => {
          const dot = name.lastIndexOf('.');
          return name.slice(0, dot) === jobId && Number(name.slice(dot + 1)) < fence && name !== kept;
        }),
      );
    },
    release: folders.release,
    sweep: async (readLive) => {
      const names = await uploads.scratchNames();
      let live: readonly string[] | undefined;
      await folders.sweep(async () => (live = await readLive()));
      try {
        const known = new Set((live ?? (await readLive())).map(scratchName));
        await dropUploadsOf(names.filter((name) => !known.has(name) && !folders.isOpen(name)));
      } catch (err) {
        log.warn({ err }, 'uploads of earlier runs not removed');
      }
    },

    stageFile: async (root, path, logical, signal = NEVER) => {
      const file = join(probes, uuid());
      try {
        return asStaged(await stageFile(staging(root), path, logical, file, signal));
      } catch (error) {
        await rm(file, { force: true });
        throw error;
      }
    },
    removeInput: async (input) => {
      const { hostPath } = asS3(input);
      await rm(hostPath, { force: true }).catch((err) => log.warn({ err }, 'copy of a probed file not removed'));
    },
    stage: async (
      root,
      scratch,
      inputs,
      output,
      { signal = NEVER, checkSizes = () => {}, onProgress = () => {} } = {},
    ) =>
      (
        await stage(staging(root), folders.opened(scratch).folder.sharedPath(), inputs, output, {
          signal,
          checkSizes,
          onProgress,
        })
      ).map(asStaged),
    scratchFolder: folders.scratchFolder,
    mounts: (inputs) => inputs.map(asS3),

    prepare: async (root, scratch, output, main, inputs, signal = NEVER) => {
      const { out } = folders.opened(scratch);
      const attempt = { name: scratchName(scratch.name), out };
      return prepareOutputs(publishing(bucketOf(root)), attempt, output, main, inputs.map(asS3), signal);
    },
    publish: async (intent) =>
      publish(publishing({ client, location: storage }), intent.scratch, readIntent(intent, storage.bucket)),
    unpublish: async (intent) =>
      unpublish(publishing({ client, location: storage }), intent.scratch, readIntent(intent, storage.bucket)),
    removeOutputs: async (root, outputs) => removeOutputs({ ...bucketOf(root), locks }, outputs),
    close: folders.close,
  };
}

const NEVER = new AbortController().signal;

const asStaged = (input: S3Input): StagedInput => input as unknown as StagedInput;
const asS3 = (input: StagedInput): S3Input => input as unknown as S3Input;
