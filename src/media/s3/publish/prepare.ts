import { lstat } from 'node:fs/promises';
import { CreateMultipartUploadCommand, type CreateMultipartUploadCommandOutput } from '@aws-sdk/client-s3';
import pLimit from 'p-limit';
import type { MediaPath } from '../../../domain/media-path.ts';
import type { OutputUploads } from '../../../jobs/ports/job-records.ts';
import type { FinishedOutput, PublishIntent, WhileDown } from '../../../jobs/ports/media-store.ts';
import { outputExists, replacesInput, replacesOther } from '../../job-failures.ts';
import { collectOutputs, type FinishedFile } from '../../outputs/collect-outputs.ts';
import { jobOutputs } from '../../outputs/job-outputs.ts';
import { writeTexts } from '../../outputs/write-texts.ts';
import { allEnded, type DirectoryHandle } from '../../scratch/directory-handle.ts';
import { all, FILES_AT_ONCE } from '../all.ts';
import type { Bucket } from '../bucket.ts';
import { bucketNotAllowed } from '../bucket-failures.ts';
import { keyOf, objectId } from '../location.ts';
import type { KeyLocks } from '../locks/key-locks.ts';
import { OUTPUT_METADATA } from '../output-object.ts';
import { outputFailure } from '../s3-failures.ts';
import type { S3Input } from '../staging/stage.ts';
import { takenTargets } from '../target.ts';
import type { UnrecordedUploads } from '../uploads/unrecorded-uploads.ts';
import { type IntendedObject, toIntent } from './intent.ts';
import { uploadParts } from './upload-parts.ts';

export interface PublishDeps extends Bucket {
  readonly uploads: OutputUploads;
  readonly locks: KeyLocks;
  readonly unrecordedUploads: UnrecordedUploads;
  readonly failpoint: (step: PublishStep) => void;
}

export interface PrepareDeps extends PublishDeps {
  /** Whether a path is in the same bucket, and the client may write it. */
  readonly mayWrite: (path: MediaPath) => boolean;
  readonly whileDown: WhileDown;
}

/** The steps of publishing after which tests end the process. */
export type PublishStep = 'recorded' | 'created' | 'uploaded' | 'reserved' | 'completed';

/** Parts of large files of one job in memory at the same time. */
const PARTS_IN_MEMORY = 4;

/** The most parts of a file whose ETags are in the intent. One request to list more does not matter. */
const MAX_STORED_PARTS = 100;

/**
 * Uploads the finished files, so that publishing only has to complete the uploads. Throws FFMPEG_FAILED, INPUT_INVALID,
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
    await writeTexts(scratch.out, finished);
    const files = await collectOutputs(
      scratch.out,
      finished.map((output) => output.files),
    );
    for (const { path } of files) if (!deps.mayWrite(path)) throw bucketNotAllowed(path, 'write');
    const { whileDown } = deps;
    await whileDown(() =>
      checkTargets(deps, files, replace, inputs).catch((error: unknown) => {
        throw outputFailure(firstPath, error);
      }),
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
        whileDown(() =>
          send().catch((error: unknown) => {
            throw outputFailure(pathOf(index), error);
          }),
        );
      const partETags = await uploadParts(deps.client, upload, { limit, sendPart, signal }).catch((error: unknown) => {
        throw outputFailure(pathOf(index), error);
      });
      if (partETags.length <= MAX_STORED_PARTS) objects[index] = { ...object, partETags };
    };
    await all(objects, sendParts, FILES_AT_ONCE);
    deps.failpoint('uploaded');
    const list = { bucket, ...(address !== undefined && { address }), replace, objects };
    return toIntent(scratch.name, list, outputs);
  } catch (error) {
    signal.throwIfAborted();
    throw outputFailure(firstPath, error);
  }
}

/**
 * Rejects outputs that exist and must not be replaced. Options of ffmpeg name further files, so a client's mistake could
 * replace any file in their folder. With `"y"`, a conversion never replaces one of its inputs, and replaces further files
 * only if the main output exists too, as it does when a conversion is repeated.
 */
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
  const { location } = deps;
  const inputIds = new Set(inputs.flatMap(({ objects }) => objects));
  for (const file of files) {
    if (!taken.has(file.path)) continue;
    if (!replace) throw outputExists(file.path);
    if (inputIds.has(objectId(location.bucket, keyOf(location, file.path)))) throw replacesInput(file.path);
    if (!taken.has(file.main)) throw replacesOther(file.path);
  }
}

/**
 * Begins the uploads. Records each before it begins and its id afterwards, so that a sweep finds it after any crash. Does not
 * wait while the store is down: after some minutes, the sweep takes an upload without an id for abandoned.
 */
async function createUploads(
  { client, location, uploads, unrecordedUploads, failpoint }: PublishDeps,
  scratch: string,
  files: readonly FinishedFile[],
  signal: AbortSignal,
): Promise<readonly IntendedObject[]> {
  const { bucket } = location;
  const keys = files.map(({ path }) => keyOf(location, path));
  await uploads.begin(scratch, bucket, keys);
  failpoint('recorded');
  const objects: IntendedObject[] = [];
  const replies: CreateMultipartUploadCommandOutput[] = [];
  const begunAt = Date.now();
  await all(files, async ({ path, rank }, index) => {
    const fingerprint = `${scratch}.${index}`;
    const key = keyOf(location, path);
    const command = new CreateMultipartUploadCommand({
      Bucket: bucket,
      Key: key,
      Metadata: { [OUTPUT_METADATA]: fingerprint },
    });
    signal.throwIfAborted();
    // The signal does not end the request: the server could begin the upload after its record was used and forgotten.
    const reply = await client.send(command).catch((error: unknown) => {
      throw outputFailure(path, error);
    });
    const { UploadId } = reply;
    if (UploadId === undefined) throw new Error('The object store gave an upload no id.');
    replies[index] = reply;
    objects[index] = { key, path, uploadId: UploadId, fingerprint, rank };
  });
  failpoint('created');
  await uploads.recordIds(scratch, bucket, new Map(objects.map(({ key, uploadId }) => [key, uploadId])));
  await all(replies, (reply, index) =>
    unrecordedUploads.abortRepeated(client, { bucket, key: keys[index] ?? '' }, begunAt, reply),
  );
  return objects;
}
