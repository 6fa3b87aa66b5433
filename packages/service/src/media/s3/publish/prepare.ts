import { lstat } from 'node:fs/promises';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { checkOverwrites, type FinishedFile, jobOutputs } from '@telecine/contract/domain/planned-files.ts';
import pLimit from 'p-limit';
import type { OutputUploads } from '../../../jobs/ports/job-records.ts';
import type { FinishedOutput, PublishIntent, WhileDown } from '../../../jobs/ports/media-store.ts';
import { rethrow } from '../../errno-codes.ts';
import { collectOutputs } from '../../finished-files.ts';
import { bucketNotAllowed, outputExists } from '../../job-failures.ts';
import { publishIntents } from '../../publish-intents.ts';
import { allEnded, type DirectoryHandle } from '../../scratch/directory-handle.ts';
import type { Bucket } from '../bucket.ts';
import { PARTS_IN_MEMORY, uploadParts } from '../file-parts.ts';
import type { KeyLocks } from '../key-locks.ts';
import { keyOf, objectId } from '../location.ts';
import { beginMultipart } from '../multipart-uploads.ts';
import { OUTPUT_METADATA } from '../object-facts.ts';
import { FILES_AT_ONCE, runForAll } from '../run-for-all.ts';
import { outputFailure } from '../s3-failures.ts';
import type { S3Input } from '../staging/stage.ts';
import { takenTargets } from '../target.ts';

/** An object that is about to be published. All its parts are already uploaded. */
export interface IntendedObject {
  readonly key: string;
  readonly path: MediaPath;
  readonly uploadId: string;
  /** The ETags of the parts, without quotes. undefined if there are more than `MAX_STORED_PARTS`. */
  readonly partETags?: readonly string[];
  /** The value of the metadata field `OUTPUT_METADATA`, which tells which attempt wrote the object. */
  readonly fingerprint: string;
  /** Objects with the lowest rank are published first. */
  readonly rank: number;
}

/** The objects that the S3 engine publishes together. */
export interface PublishList {
  readonly bucket: string;
  /** The address by which requests name the bucket. undefined: the bucket is the storage of the service. */
  readonly address?: string;
  /** true: the objects may replace existing objects. */
  readonly replace: boolean;
  readonly objects: readonly IntendedObject[];
}

export const s3Intents = publishIntents<PublishList>('s3');

export interface PublishDeps extends Bucket {
  readonly uploads: OutputUploads;
  readonly locks: KeyLocks;
  readonly failpoint: (step: PublishStep) => void;
}

export interface PrepareDeps extends PublishDeps {
  /** Returns whether a path is in the bucket of this job and the client may write to it. */
  readonly mayWrite: (path: MediaPath) => boolean;
  readonly whileDown: WhileDown;
}

/** The steps of publishing. Tests end the process after each of them. */
export type PublishStep = 'created' | 'recorded' | 'uploaded' | 'reserved' | 'completed';

/**
 * Up to this number of parts, the intent contains the ETags of the parts of a file. If there are more, publishing asks
 * the object store for them.
 */
const MAX_STORED_PARTS = 100;

/**
 * Uploads the finished files, so that publishing only completes the uploads. Throws FFMPEG_FAILED, INPUT_INVALID,
 * NO_SPACE, OUTPUT_EXISTS, STORAGE_FAULT, UNSUPPORTED.
 */
export async function prepareOutputs(
  deps: PrepareDeps,
  scratch: { readonly name: string; readonly out: DirectoryHandle },
  finished: readonly FinishedOutput[],
  inputs: readonly S3Input[],
  signal: AbortSignal,
): Promise<PublishIntent> {
  const { path: firstPath = '', replace = false } = finished[0]?.files ?? {};
  try {
    const files = await collectOutputs(scratch.out, finished);
    for (const { path } of files) if (!deps.mayWrite(path)) throw bucketNotAllowed(path, 'write');
    const { whileDown } = deps;
    await whileDown(() =>
      checkTargets(deps, files, replace, inputs).catch(rethrow((error) => outputFailure(firstPath, error))),
    );
    const sizes = await allEnded(files.map(async ({ name }) => (await lstat(scratch.out.pathOf(name))).size));
    const uploads = sizes.map((sizeBytes, index) => ({ sizeBytes, fingerprint: `${scratch.name}.${index}` }));
    const outputs = jobOutputs(finished, files, uploads);
    const { bucket, address } = deps.location;
    const objects = [...(await createUploads(deps, scratch.name, files, signal))];
    const pathOf = (index: number): string => files[index]?.path ?? firstPath;
    const limit = pLimit(PARTS_IN_MEMORY);
    const sendParts = async (object: IntendedObject, index: number): Promise<void> => {
      const file = scratch.out.pathOf(files[index]?.name ?? '');
      const upload = { ...object, bucket, file, sizeBytes: sizes[index] ?? 0 };
      const sendPart = <T>(send: () => Promise<T>): Promise<T> =>
        whileDown(() => send().catch(rethrow((error) => outputFailure(pathOf(index), error))));
      const partETags = await uploadParts(deps.client, upload, { limit, sendPart, signal }).catch(
        rethrow((error) => outputFailure(pathOf(index), error)),
      );
      if (partETags.length <= MAX_STORED_PARTS) objects[index] = { ...object, partETags };
    };
    await runForAll(objects, sendParts, FILES_AT_ONCE);
    deps.failpoint('uploaded');
    const list = { bucket, ...(address !== undefined && { address }), replace, objects };
    return s3Intents.write(scratch.name, list, outputs);
  } catch (error) {
    signal.throwIfAborted();
    throw outputFailure(firstPath, error);
  }
}

/** Rejects the job if one of its outputs exists and the job may not replace it. */
async function checkTargets(
  deps: PublishDeps,
  files: readonly FinishedFile[],
  replace: boolean,
  inputs: readonly S3Input[],
): Promise<void> {
  const taken = await takenTargets(
    deps,
    files.map(({ path }) => path),
  );
  const existing = files.filter(({ path }) => taken.has(path));
  if (!replace && existing[0] !== undefined) throw outputExists(existing[0].path);
  const { location } = deps;
  const ids = existing.map(({ path }) => [path, objectId(location.bucket, keyOf(location, path))] as const);
  checkOverwrites(files, new Map(ids), new Set(inputs.flatMap(({ objects }) => objects)));
}

/** Begins the uploads, and records their ids before they get any parts: a sweep aborts those that a crash leaves. */
async function createUploads(
  { client, location, uploads, failpoint }: PublishDeps,
  scratch: string,
  files: readonly FinishedFile[],
  signal: AbortSignal,
): Promise<readonly IntendedObject[]> {
  const { bucket } = location;
  const objects: IntendedObject[] = [];
  try {
    await runForAll(files, async ({ path, rank }, index) => {
      const fingerprint = `${scratch}.${index}`;
      const key = keyOf(location, path);
      signal.throwIfAborted();
      // Do not pass the signal to this request: the id of an upload that begins all the same must be recorded.
      const uploadId = await beginMultipart(client, {
        bucket,
        key,
        metadata: { [OUTPUT_METADATA]: fingerprint },
      }).catch(rethrow((error) => outputFailure(path, error)));
      objects[index] = { key, path, uploadId, fingerprint, rank };
    });
    failpoint('created');
  } finally {
    await uploads.record(scratch, bucket, new Map(objects.flatMap(({ key, uploadId }) => [[key, uploadId]])));
  }
  failpoint('recorded');
  return objects;
}
