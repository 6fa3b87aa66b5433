import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type ByteRange, rangeBytes } from '@telecine/contract/domain/byte-ranges.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { parseNumberedName } from '@telecine/contract/domain/numbered-name.ts';
import type { DraftedOutput, Mount, PlannedInput } from '@telecine/contract/domain/plan.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import type { FileVersion, SequenceGap, StagingOptions } from '../../../jobs/ports/media-store.ts';
import { rethrow } from '../../errno-codes.ts';
import {
  bucketNotAllowed,
  emptyInput,
  folderAsInput,
  inputNotFound,
  outputExists,
  outputIsInput,
} from '../../job-failures.ts';
import { allEnded } from '../../scratch/directory-handle.ts';
import type { ProbeCopy } from '../../scratch/probe-copies.ts';
import { identify } from '../../staged-inputs.ts';
import { type Bucket, type FoundObject, findObject, isFolder } from '../bucket.ts';
import { findKeys } from '../find-keys.ts';
import { isKeyTooLong, keyOf, objectId } from '../location.ts';
import { fileVersionOf } from '../object-facts.ts';
import { inputFailure, outputFailure, storageFailure } from '../s3-failures.ts';
import { headOfTarget } from '../target.ts';
import { copyObjects, type ObjectCopy } from './copy-objects.ts';
import { findFrames } from './find-frames.ts';
import type { RecentCopies } from './recent-copies.ts';

/** A staged input of the S3 engine. */
export interface S3Input extends Mount {
  readonly sizeBytes: number;
  readonly isPartial?: true;
  readonly gap?: SequenceGap;
  /** Absent for an image sequence. */
  readonly file?: FileVersion;
  /** The ids (`objectId`) of the objects of this input. */
  readonly objects: readonly string[];
  /** The ETag of the object of a partial copy, without quotes. */
  readonly etag?: string;
  /** The local copy, if a probe reads the input. undefined for the input of a job. */
  readonly copy?: ProbeCopy;
}

export interface StagingDeps {
  /** Returns the bucket of a path of a client. undefined: the client may not use it. */
  readonly bucketOf: (path: MediaPath, use: 'read' | 'write') => Bucket | undefined;
  /** Throws NO_SPACE if the disk has no room for `bytes` more bytes. */
  readonly requireSpace: (bytes: number) => Promise<void>;
  /** Copies of objects that were read a moment ago. */
  readonly recent?: RecentCopies | undefined;
}

/** An input whose objects were found but not copied yet. */
interface FoundInput {
  readonly input: PlannedInput;
  readonly bucket: Bucket;
  readonly objects: readonly FoundObject[];
  readonly gap?: SequenceGap;
}

/**
 * Copies the inputs of a job to its scratch folder. Rejects outputs that could not be published. Throws
 * INPUT_NOT_FOUND, INPUT_INVALID, LIMIT_EXCEEDED, OUTPUT_EXISTS, UNSUPPORTED, NO_SPACE, STORAGE_FAULT.
 */
export async function stage(
  deps: StagingDeps,
  scratchDir: string,
  inputs: readonly PlannedInput[],
  outputs: readonly DraftedOutput[],
  { signal = NEVER, checkSizes, onProgress, isReadAgain = false }: StagingOptions = {},
): Promise<readonly S3Input[]> {
  try {
    // Look for inputs and outputs at the same time. If both fail, report the error of the output, like the local
    // engine.
    const finding = listInputs(deps.bucketOf, inputs, signal).then((listed) =>
      Promise.all(inputs.map((input) => findInput(deps, input, listed, signal))),
    );
    finding.catch(() => undefined);
    const checks = await Promise.all(outputs.map((output) => statOutput(deps, output)));
    const found = await finding;
    for (const check of checks) await check(found);
    checkSizes?.(found.map(({ objects }) => ({ sizeBytes: totalSize(objects) })));
    const planned = await allEnded(found.map((one) => planCopies(scratchDir, one)));
    const files = planned.flatMap(({ copies }) => copies);
    const missing = await withoutRecent(deps, files);
    const total = missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    await deps.requireSpace(total);
    let copied = 0;
    const onBytes = (bytes: number): void => {
      copied += bytes;
      onProgress?.(Math.min(100, (copied / total) * 100));
    };
    await copyObjects(missing, { signal, onBytes });
    if (isReadAgain) await keepRecent(deps, missing);
    // Images of a sequence need no file ids, because only the service can replace the copies.
    return await Promise.all(
      planned.map((one, i) => (found[i]?.input.sequence === undefined ? identify(one.staged) : one.staged)),
    );
  } catch (error) {
    signal.throwIfAborted();
    throw storageFailure('staging the inputs', error);
  }
}

/** The maximum number of files of a job that are kept. An image sequence has more, and is small. */
const MAX_KEPT = 4;

/** Uses the recent copies of objects. Returns the other objects, which have to be copied. */
async function withoutRecent({ recent }: StagingDeps, files: readonly ObjectCopy[]): Promise<readonly ObjectCopy[]> {
  if (recent === undefined || recent.isEmpty()) return files;
  const areThere = await Promise.all(files.map((copy) => recent.use(versionOf(copy), copy.file)));
  return files.filter((_, i) => areThere[i] !== true);
}

/** Keeps copies for the next jobs. */
async function keepRecent({ recent }: StagingDeps, files: readonly ObjectCopy[]): Promise<void> {
  if (recent === undefined || files.length > MAX_KEPT) return;
  for (const copy of files) await recent.keep(versionOf(copy), copy.file, copy.sizeBytes);
}

/** Identifies a version of an object. */
const versionOf = ({ bucket, key, etag }: ObjectCopy): string => `${objectId(bucket, key)} ${etag}`;

/**
 * Finds out whether an output exists. Resolves to a check, which the caller runs when the inputs are known: an output
 * may be an input.
 */
async function statOutput(
  deps: StagingDeps,
  output: DraftedOutput,
): Promise<(inputs: readonly FoundInput[]) => Promise<void>> {
  const target = deps.bucketOf(output.path, 'write');
  if (target === undefined) throw bucketNotAllowed(output.path, 'write');
  const taken = await isTaken(target, output.path);
  return async (inputs) => {
    const outputId = idOf(target, output);
    const same = taken && inputs.find(({ bucket, objects }) => objects.some((one) => idOf(bucket, one) === outputId));
    if (same) throw outputIsInput(output.path, same.input.path);
    if (taken && !output.replace) throw outputExists(output.path);
    if (output.manifest === undefined || output.replace) return;
    const manifest = `${output.folder}${output.manifest}` as MediaPath;
    if (await isTaken(target, manifest)) throw outputExists(manifest);
  };
}

/**
 * Copies one object to `file`, or only its ends; see `InputStaging.stageFile`. Throws INPUT_NOT_FOUND, INPUT_INVALID,
 * NO_SPACE, STORAGE_FAULT.
 */
export async function stageFile(
  deps: StagingDeps,
  path: MediaPath,
  logical: string,
  file: string,
  { signal, ends }: { readonly signal: AbortSignal; readonly ends?: number | undefined },
): Promise<S3Input> {
  try {
    const { bucket, object } = await findFile(deps, path, signal);
    const { sizeBytes } = object;
    const whole = copyOf(bucket, object, file);
    const missing = await withoutRecent(deps, [whole]);
    const bytes = ends === undefined || missing.length === 0 ? undefined : endsOf(sizeBytes, ends);
    if (missing.length > 0) await deps.requireSpace(bytes === undefined ? sizeBytes : rangeBytes(bytes));
    await copyObjects(
      missing.map((copy) => ({ ...copy, ...(bytes && { bytes }) })),
      { signal, onBytes: () => {} },
    );
    if (bytes === undefined) await keepRecent(deps, missing);
    const version = versionIn(bucket, object);
    const staged = { logical, hostPath: file, sizeBytes, objects: [version.fileId], file: version };
    return await identify(bytes === undefined ? staged : { ...staged, isPartial: true as const, etag: object.etag });
  } catch (error) {
    signal.throwIfAborted();
    throw storageFailure('staging the input', error);
  }
}

/** Copies more bytes of an object into a partial copy; see `InputStaging.fillInput`. */
export async function fillFile(
  deps: StagingDeps,
  path: MediaPath,
  { hostPath, sizeBytes, etag = '' }: S3Input,
  bytes: readonly ByteRange[],
  signal: AbortSignal,
): Promise<void> {
  try {
    await deps.requireSpace(rangeBytes(bytes));
    const copy = copyOf(readable(deps, path), { path, sizeBytes, etag }, hostPath);
    await copyObjects([{ ...copy, bytes, isPartial: true }], { signal, onBytes: () => {} });
  } catch (error) {
    signal.throwIfAborted();
    throw storageFailure('staging the input', error);
  }
}

/** A file that is less than this many times as large as its ends is copied whole. */
const MIN_ENDS = 4;

/** The ends of a file. undefined: they are most of it. */
const endsOf = (sizeBytes: number, ends: number): readonly ByteRange[] | undefined =>
  sizeBytes < MIN_ENDS * ends
    ? undefined
    : [
        [0, ends],
        [sizeBytes - ends, sizeBytes],
      ];

const idOf = ({ location }: Bucket, { path }: Pick<FoundObject, 'path'>): string =>
  objectId(location.bucket, keyOf(location, path));

const versionIn = ({ location }: Bucket, { path, etag, sizeBytes }: FoundObject): FileVersion =>
  fileVersionOf(location.bucket, keyOf(location, path), { ETag: etag, sizeBytes });

const totalSize = (objects: readonly FoundObject[]): number =>
  objects.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

function readable({ bucketOf }: StagingDeps, path: MediaPath): Bucket {
  const bucket = bucketOf(path, 'read');
  if (bucket === undefined) throw bucketNotAllowed(path, 'read');
  return bucket;
}

const isTaken = async (bucket: Bucket, path: MediaPath): Promise<boolean> =>
  (await headOfTarget(bucket, path).catch(rethrow((error) => outputFailure(path, error)))) !== undefined;

async function findInput(
  deps: StagingDeps,
  input: PlannedInput,
  listed: ListedInputs,
  signal: AbortSignal,
): Promise<FoundInput> {
  try {
    if (input.sequence === undefined) {
      const { bucket, object } = await findFile(deps, input.path, signal, listed);
      return { input, bucket, objects: [object] };
    }
    const bucket = readable(deps, input.path);
    const { frames, ...rest } = await findFrames(bucket, input, signal);
    if (frames.length === 0) throw inputNotFound(input.path);
    for (const { path, sizeBytes } of frames) if (sizeBytes === 0) throw emptyInput(path);
    return { input, bucket, objects: frames, ...rest };
  } catch (error) {
    throw inputFailure(input.path, error);
  }
}

async function findFile(
  deps: StagingDeps,
  path: MediaPath,
  signal: AbortSignal,
  listed?: ListedInputs,
): Promise<{ readonly bucket: Bucket; readonly object: FoundObject }> {
  const bucket = readable(deps, path);
  try {
    const facts = listed?.get(idOf(bucket, { path }));
    const object = facts === undefined ? await findObject(bucket, path, signal) : { path, ...facts };
    if (object?.sizeBytes === 0) throw emptyInput(path);
    if (object !== undefined) return { bucket, object };
    if (await isFolder(bucket, path, signal)) throw folderAsInput(path);
    throw inputNotFound(path);
  } catch (error) {
    throw inputFailure(path, error);
  }
}

const copyOf = ({ client, location }: Bucket, object: FoundObject, file: string): ObjectCopy => ({
  ...object,
  client,
  bucket: location.bucket,
  key: keyOf(location, object.path),
  file,
});

/**
 * Plans where the objects of an input are copied in the scratch folder. An image sequence becomes a folder with images
 * that are numbered from 0.
 */
async function planCopies(
  scratchDir: string,
  { input, bucket, objects, gap }: FoundInput,
): Promise<{ readonly copies: readonly ObjectCopy[]; readonly staged: S3Input }> {
  const isFile = input.sequence === undefined;
  const name = isFile ? undefined : parseNumberedName(basename(input.logical));
  if (!isFile && name === undefined) throw new Error(`${input.logical} has no counter.`);
  const logical = isFile ? input.logical : dirname(input.logical);
  const hostPath = join(scratchDir, logical);
  await rm(hostPath, { recursive: true, force: true });
  await mkdir(isFile ? dirname(hostPath) : hostPath, { recursive: true, mode: 0o700 });
  const copies = objects.map((object, i) =>
    copyOf(bucket, object, name === undefined ? hostPath : join(hostPath, name.format(i))),
  );
  const versions = objects.map((object) => versionIn(bucket, object));
  const [file] = isFile ? versions : [];
  return {
    copies,
    staged: {
      ...{ logical, hostPath, sizeBytes: totalSize(objects), objects: versions.map(({ fileId }) => fileId) },
      ...(file && { file }),
      ...(gap && { gap }),
    },
  };
}

/** Objects that were found in lists, by their ids (`objectId`). */
type ListedInputs = ReadonlyMap<string, Pick<FoundObject, 'sizeBytes' | 'etag'>>;

/**
 * Finds inputs in lists, one for each location that has many inputs. Two locations in the same bucket need two lists,
 * because they can have different credentials. Throws STORAGE_FAULT.
 */
export async function listInputs(
  bucketOf: (path: MediaPath, use: 'read') => Bucket | undefined,
  inputs: readonly PlannedInput[],
  signal: AbortSignal,
): Promise<ListedInputs> {
  const places = inputs.flatMap(({ path, sequence }) => {
    const bucket = sequence === undefined ? bucketOf(path, 'read') : undefined;
    if (bucket === undefined || isKeyTooLong(bucket.location, path)) return [];
    return [{ path, client: bucket.client, location: bucket.location, key: keyOf(bucket.location, path) }];
  });
  const groups = Map.groupBy(places, ({ location: { bucket, prefix } }) => objectId(bucket, prefix));
  const found = await Promise.all(
    [...groups.values()].map(async ([first, ...others]) => {
      if (first === undefined) return [];
      const { bucket } = first.location;
      const keys = [first, ...others].map(({ key }) => key);
      const listed = await findKeys(first.client, bucket, keys, signal).catch(
        rethrow((error) => inputFailure(first.path, error)),
      );
      return [...(listed?.objects ?? [])].map(([key, facts]) => [objectId(bucket, key), facts] as const);
    }),
  );
  return new Map(found.flat());
}
