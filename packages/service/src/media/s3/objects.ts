import { statfs } from 'node:fs/promises';
import { AttemptDeferred } from '@telecine/contract/domain/failure.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { sizeText } from '@telecine/contract/domain/quantity.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { OutputUploads } from '../../jobs/ports/job-records.ts';
import type { InputStaging, PathStats, Publishing, WhileDown } from '../../jobs/ports/media-store.ts';
import { rethrow } from '../errno-codes.ts';
import { bucketNotAllowed, failed } from '../job-failures.ts';
import type { ProbeCopies } from '../scratch/probe-copies.ts';
import { type MediaLog, scratchName } from '../scratch/scratch.ts';
import type { ScratchFolders } from '../scratch/scratch-folders.ts';
import { asStaged, stagedAs } from '../staged-inputs.ts';
import type { Bucket, Buckets } from './bucket.ts';
import { tryToWrite } from './bucket-check.ts';
import type { KeyLocks } from './key-locks.ts';
import { type PublishDeps, type PublishStep, prepareOutputs, s3Intents } from './publish/prepare.ts';
import { abortRecorded, publish, removeOutputs, unpublish } from './publish/publish.ts';
import { storageFailure } from './s3-failures.ts';
import type { RecentCopies } from './staging/recent-copies.ts';
import { fillFile, type S3Input, type StagingDeps, stage, stageFile } from './staging/stage.ts';
import { createPathStats } from './stat-paths.ts';

const once: WhileDown = (work) => work();

export interface S3ObjectsOptions {
  readonly buckets: Buckets;
  readonly uploads: OutputUploads;
  readonly locks: KeyLocks;
  /** Keeps local copies of the files that probes read. */
  readonly copies: ProbeCopies;
  /** Copies of objects that were read a moment ago. Absent: each read copies. */
  readonly recent?: RecentCopies;
  /** The scratch folders, with copies of inputs and the files that ffmpeg writes. */
  readonly folders: Pick<ScratchFolders, 'parent' | 'opened'>;
  /** Returns the free space of the disk with the scratch folders, in bytes. */
  readonly freeBytes: () => Promise<number>;
  /** The bytes that must stay free on this disk after inputs are copied. */
  readonly minFreeBytes: number;
  readonly log: MediaLog;
  /** Called after each step of publishing. Tests end the process there. */
  readonly failpoint?: (step: PublishStep) => void;
}

/** Stages and publishes objects in any bucket that the client may use. */
export interface S3Objects extends PathStats, InputStaging, Publishing {
  /**
   * Aborts the uploads of attempts and removes their key reservations. `scratchNames`: the scratch folders of the
   * attempts.
   */
  dropUploads(scratchNames: readonly string[]): Promise<void>;
}

/**
 * Opens the part of the S3 engine that reads and writes objects. It copies inputs into scratch folders, where ffmpeg
 * reads them.
 */
export async function openS3Objects(options: S3ObjectsOptions): Promise<S3Objects> {
  const { buckets, uploads, locks, copies, folders, freeBytes, log, failpoint = () => {} } = options;
  const publishing = (bucket: Bucket): PublishDeps => ({ ...bucket, uploads, locks, failpoint });
  const { recent } = options;
  const requireSpace = async (bytes: number): Promise<void> => {
    const hasRoom = async (): Promise<boolean> => (await freeBytes()) - bytes >= options.minFreeBytes;
    if (await hasRoom()) return;
    await recent?.clear();
    if (await hasRoom()) return;
    const { blocks, bsize } = await statfs(folders.parent().pathOf('.'));
    if (bytes + options.minFreeBytes > blocks * bsize)
      throw failed('NO_SPACE', `The disk of the worker is too small for the inputs, which are ${sizeText(bytes)}.`);
    const message = 'The disk of the worker has no room for copies of the inputs: other files use it.';
    throw new AttemptDeferred({ code: 'NO_SPACE', message });
  };
  const staging = (root: MediaRoot): StagingDeps => ({
    bucketOf: (path, use) => buckets.ofPath(root, path, use),
    requireSpace,
    recent,
  });

  /**
   * The publish lists that this process has prepared and not yet tried to publish. A list that was read back from the
   * database is another object, so it is not in the set.
   */
  const prepared = new WeakSet<object>();

  const dropUploadsOf = async (scratch: string): Promise<void> => {
    const found = await uploads.find(scratch);
    if (found.uploads.length === 0 && !found.hasReserved) return;
    // If an abort has failed, keep the records, so that the next sweep tries again.
    await abortRecorded(buckets, found.uploads);
    await uploads.forget(scratch);
  };

  return {
    statPaths: createPathStats(buckets),
    isCopied: () => true,
    stageFile: async (root, path, logical, signal = NEVER, ends = undefined) => {
      const copy = await copies.add().catch(rethrow((error) => storageFailure('copying the input', error)));
      try {
        return asStaged({ ...(await stageFile(staging(root), path, logical, copy.file, { signal, ends })), copy });
      } catch (error) {
        await copy.remove();
        throw error;
      }
    },
    fillInput: (root, path, input, bytes, signal) =>
      fillFile(staging(root), path, stagedAs<S3Input>(input), bytes, signal),
    removeInput: async (input) => stagedAs<S3Input>(input).copy?.remove(),
    stage: async (root, scratch, inputs, outputs, options) => {
      const folder = folders.opened(scratch).folder.sharedPath();
      return (await stage(staging(root), folder, inputs, outputs, options)).map(asStaged);
    },

    tryToWrite: async (root, path, signal = NEVER) => {
      const bucket = buckets.ofPath(root, path, 'write');
      if (bucket !== undefined) await tryToWrite(bucket, path, signal);
    },
    prepare: async (root, scratch, outputs, inputs, { signal = NEVER, whileDown = once } = {}) => {
      const { out } = folders.opened(scratch);
      const attempt = { name: scratchName(scratch.name), out };
      const path = outputs[0]?.files.path;
      const bucket = path && buckets.ofPath(root, path, 'write');
      if (!bucket) throw bucketNotAllowed(path ?? '', 'write');
      const mayWrite = (path: MediaPath): boolean =>
        buckets.ofPath(root, path, 'write')?.location.address === bucket.location.address;
      const deps = { ...publishing(bucket), mayWrite, whileDown };
      const intent = await prepareOutputs(deps, attempt, outputs, inputs.map(stagedAs<S3Input>), signal);
      prepared.add(s3Intents.read(intent));
      return intent;
    },
    publish: async (intent) => {
      const list = s3Intents.read(intent);
      const bucket = buckets.ofList(list);
      if (bucket === undefined) throw bucketNotAllowed(intent.outputs[0]?.path ?? list.address ?? '', 'write');
      return publish(publishing(bucket), intent.scratch, list, prepared.delete(list));
    },
    unpublish: async (intent) => {
      const list = s3Intents.read(intent);
      const bucket = buckets.ofList(list);
      if (bucket !== undefined) return unpublish(publishing(bucket), intent.scratch, list);
      const keys = list.objects.map(({ key }) => key);
      log.warn(
        { bucket: list.address, keys },
        'outputs of an unpublished job not removed: their bucket is no longer in the settings',
      );
    },
    removeOutputs: (root, outputs) =>
      removeOutputs({ bucketOf: (path) => buckets.ofPath(root, path, 'write'), locks }, outputs),

    dropUploads: async (names) => {
      for (const name of names)
        await dropUploadsOf(name).catch(rethrow((error) => storageFailure('removing the parts of an upload', error)));
    },
  };
}
