import { isBucketPath } from '@telecine/contract/domain/bucket-path.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type { FileStore, FileTree, OpenFile } from '../files/ports.ts';
import type { OutputUploads } from '../jobs/ports/job-records.ts';
import type { InputStaging, MediaStore, PathStat, StagedInput } from '../jobs/ports/media-store.ts';
import { fileNotFound, outsideRoot } from './file-problems.ts';
import { bucketNotAllowed } from './job-failures.ts';
import type { S3Objects } from './s3/objects.ts';
import type { MediaLog } from './scratch/scratch.ts';
import type { ScratchFolders } from './scratch/scratch-folders.ts';
import { removeWithUploads } from './scratch/scratch-uploads.ts';
import { inOrder } from './staged-inputs.ts';

interface BucketMediaOptions {
  /** The engine of the media root. Files of conversions that use objects are in its scratch folders too. */
  readonly base: MediaStore;
  readonly folders: Pick<ScratchFolders, 'isOpen'>;
  /** Loads the part of the S3 engine that reads and writes objects. undefined: the service has no other buckets. */
  readonly objects: (() => Promise<S3Objects>) | undefined;
  readonly uploads: OutputUploads;
  readonly log: MediaLog;
}

/**
 * Adds other buckets to an engine. The S3 engine handles paths with a scheme (`s3://…`), and `base` handles all other
 * paths.
 */
export function bucketMedia(options: BucketMediaOptions): MediaStore {
  const { base, uploads } = options;
  const objectsFor = async (path: string, use: 'read' | 'write'): Promise<S3Objects> => {
    if (options.objects === undefined) throw bucketNotAllowed(path, use);
    return options.objects();
  };
  const dropUploads: S3Objects['dropUploads'] = async (names) => {
    for (const name of names) {
      const { uploads: found, hasReserved } = await uploads.find(name);
      if (found.length > 0 || hasReserved) await (await options.objects?.())?.dropUploads([name]);
    }
  };
  const removal =
    options.objects &&
    removeWithUploads(base, { dropUploads, uploads, isOpen: options.folders.isOpen, log: options.log });

  return {
    ...base,
    ...removal,
    statPaths: (root, paths) => {
      if (!paths.some(isBucketPath)) return base.statPaths(root, paths);
      return statBoth(base, options.objects, root, paths);
    },
    isCopied: (path) => isBucketPath(path) || base.isCopied(path),
    stageFile: async (root, path, logical, signal, ends) => {
      const store = isBucketPath(path) ? await objectsFor(path, 'read') : base;
      return store.stageFile(root, path, logical, signal, ends);
    },
    fillInput: async (root, path, input, bytes, signal) => {
      const store: Pick<MediaStore, 'fillInput'> = isBucketPath(path) ? await objectsFor(path, 'read') : base;
      await store.fillInput?.(root, path, input, bytes, signal);
    },
    removeInput: async (input) => {
      if (isObject(input)) await (await options.objects?.())?.removeInput(input);
      else await base.removeInput(input);
    },
    stage: (root, scratch, inputs, outputs, stagingOptions) =>
      [...outputs, ...inputs].some(({ path }) => isBucketPath(path))
        ? stageBoth(base, objectsFor, [root, scratch, inputs, outputs, stagingOptions])
        : base.stage(root, scratch, inputs, outputs, stagingOptions),
    tryToWrite: async (root, path, signal) =>
      (isBucketPath(path) ? await objectsFor(path, 'write') : base).tryToWrite(root, path, signal),
    // All outputs of a job are in the same bucket, or all are in the media root. So the path of the first output
    // decides.
    prepare: async (root, scratch, outputs, inputs, options) => {
      const path = outputs[0]?.files.path ?? '';
      if (!isBucketPath(path)) {
        const own = inputs.filter((input) => !isObject(input));
        return base.prepare(root, scratch, outputs, own, options);
      }
      const objects = await objectsFor(path, 'write');
      return objects.prepare(root, scratch, outputs, inputs.filter(isObject), options);
    },
    publish: async (intent) => {
      const [{ path } = { path: '' }] = intent.outputs;
      return (isBucketPath(path) ? await objectsFor(path, 'write') : base).publish(intent);
    },
    unpublish: async (intent) => {
      const [{ path } = { path: '' }] = intent.outputs;
      if (!isBucketPath(path)) return base.unpublish(intent);
      if (options.objects !== undefined) return (await options.objects()).unpublish(intent);
      options.log.warn(
        { outputs: intent.outputs.length },
        'outputs of an unpublished job not removed: their bucket is no longer in the settings',
      );
    },
    removeOutputs: async (root, outputs) => {
      const inBuckets = outputs.filter(({ path }) => isBucketPath(path));
      if (inBuckets.length > 0) await (await options.objects?.())?.removeOutputs(root, inBuckets);
      return base.removeOutputs(
        root,
        outputs.filter(({ path }) => !isBucketPath(path)),
      );
    },
  };
}

/** Returns whether an input is a local copy of objects: only such inputs have the property `objects`. */
const isObject = (input: StagedInput): boolean => 'objects' in input;

async function statBoth(
  base: MediaStore,
  loadObjects: (() => Promise<S3Objects>) | undefined,
  ...[root, paths]: Parameters<MediaStore['statPaths']>
): Promise<readonly PathStat[]> {
  const inBuckets = paths.filter(isBucketPath);
  const missing = inBuckets.map((): PathStat => ({ kind: 'missing' }));
  const [others, objects] = await Promise.all([
    base.statPaths(
      root,
      paths.filter((path) => !isBucketPath(path)),
    ),
    // Ignore an error here: the job reports it.
    loadObjects?.()
      .then((loaded) => loaded.statPaths(root, inBuckets))
      .catch(() => missing) ?? missing,
  ]);
  return inOrder(paths, isBucketPath, objects, others);
}

async function stageBoth(
  base: MediaStore,
  objectsFor: (path: string, use: 'read' | 'write') => Promise<S3Objects>,
  [root, scratch, inputs, outputs, options]: Parameters<InputStaging['stage']>,
): Promise<readonly StagedInput[]> {
  const inBuckets = inputs.filter(({ path }) => isBucketPath(path));
  const others = inputs.filter(({ path }) => !isBucketPath(path));
  const toBucket = outputs.some(({ path }) => isBucketPath(path));
  const found = await base.stage(root, scratch, others, toBucket ? [] : outputs, options);
  const first = inBuckets[0]?.path ?? outputs[0]?.path ?? '';
  const objects = await objectsFor(first, inBuckets.length > 0 ? 'read' : 'write');
  const copies = await objects.stage(root, scratch, inBuckets, toBucket ? outputs : [], {
    ...options,
    checkSizes: (sizes) => options?.checkSizes?.([...found, ...sizes]),
  });
  return inOrder(inputs, ({ path }) => isBucketPath(path), copies, found);
}

/** Reads other buckets. Resolves to undefined if the client may not use the bucket. */
export interface BucketReads {
  open(root: MediaRoot, path: MediaPath): Promise<OpenFile | undefined>;
  /** Lists a folder of another bucket. Leaves out what the client may not read. */
  listTree(...args: Parameters<FileStore['listTree']>): Promise<FileTree | undefined>;
}

/** Lets a file store read other buckets. `load`: undefined if the service has no other buckets. */
export const bucketFiles = (base: FileStore, load: (() => Promise<BucketReads>) | undefined): FileStore => ({
  ...base,
  open: async (root, path) => {
    if (!isBucketPath(path)) return base.open(root, path);
    const file = await (await load?.())?.open(root, path);
    if (file === undefined) throw fileNotFound(path);
    return file;
  },
  listTree: async (root, folder, ...options) => {
    if (!isBucketPath(folder)) return base.listTree(root, folder, ...options);
    if (load === undefined) throw outsideRoot();
    return (await load()).listTree(root, folder, ...options);
  },
});
