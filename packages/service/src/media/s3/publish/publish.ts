import {
  CompleteMultipartUploadCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListPartsCommand,
} from '@aws-sdk/client-s3';
import { parseStoredPath } from '@telecine/contract/domain/bucket-path.ts';
import type { JobOutput } from '@telecine/contract/domain/job.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { RecordedUpload } from '../../../jobs/ports/job-records.ts';
import { rethrow } from '../../errno-codes.ts';
import { outputExists } from '../../job-failures.ts';
import { type Bucket, type Buckets, headOf } from '../bucket.ts';
import { deleteIf } from '../delete-object.ts';
import { ifFound, plainETag, s3ErrorKind } from '../errors.ts';
import { findKeys } from '../find-keys.ts';
import type { KeyLocks } from '../key-locks.ts';
import { keyOf } from '../location.ts';
import { abortUpload, listParts, namesOf } from '../multipart-uploads.ts';
import { isOutputObject } from '../object-facts.ts';
import { runForAll } from '../run-for-all.ts';
import { outputFailure, storageFailure } from '../s3-failures.ts';
import type { IntendedObject, PublishDeps, PublishList } from './prepare.ts';

/** What is at a key: the published output itself, another object, or no object. */
type ObjectState = 'published' | 'taken' | 'free';

/** How many times the service tries to complete an upload while the outcome is unknown. The SDK retries in each try. */
const MAX_TRIES = 2;

/**
 * Completes the uploads of a list, the lowest rank first. First reads the state of all objects, so that a conflict is
 * found before anything changes. `isFirst`: this is the first attempt to publish the list. Resolves to false if an
 * upload was aborted. Throws OUTPUT_EXISTS, STORAGE_FAULT.
 */
export async function publish(
  deps: PublishDeps,
  scratch: string,
  list: PublishList,
  isFirst: boolean,
): Promise<boolean> {
  const keys = list.objects.map(({ key }) => key);
  const [first] = list.objects;
  try {
    // No recorded uploads: all of them have ended. Without this check, publishing would stop half-way, at the first
    // upload that was aborted.
    if ((await deps.uploads.find(scratch)).uploads.length === 0)
      return (await statesOf(deps, list)).every((state) => state === 'published');
    // Reserve the keys, because some S3-compatible servers ignore If-None-Match when an upload is completed.
    await deps.locks.reserve(scratch, list.bucket, keys);
    deps.failpoint('reserved');
    const states = await statesOf(deps, list);
    for (const [index, { path }] of list.objects.entries())
      if (states[index] === 'taken' && !list.replace) throw outputExists(path);
    const open = list.objects.flatMap((object, index) =>
      states[index] === 'published' ? [] : [{ object, isReplyClear: isFirst && states[index] === 'free' }],
    );
    for (const [, group] of [...Map.groupBy(open, ({ object }) => object.rank)].sort(([a], [b]) => a - b)) {
      let isLost = false;
      await runForAll(group, async ({ object, isReplyClear }) => {
        if (!(await complete(deps, list, object, isReplyClear))) isLost = true;
      });
      if (isLost) return false;
    }
    await deps.uploads.forgetUploads(scratch);
    return true;
  } catch (error) {
    throw outputFailure(first?.path ?? '', error);
  }
}

/**
 * Reads the state of each object in a publish list. Finds the free keys by a list of the bucket, and requests only the
 * other objects.
 */
async function statesOf(
  deps: Pick<PublishDeps, 'client'>,
  { bucket, objects }: PublishList,
): Promise<readonly ObjectState[]> {
  const states = objects.map((): ObjectState => 'free');
  const listed = await findKeys(
    deps.client,
    bucket,
    objects.map(({ key }) => key),
  );
  await runForAll(objects, async (object, index) => {
    if (listed?.objects.has(object.key) !== false) states[index] = await stateOf(deps, bucket, object);
  });
  return states;
}

/** Finds out whether a key is free. If not, the metadata of its object tells which attempt wrote the object. */
async function stateOf(
  { client }: Pick<PublishDeps, 'client'>,
  bucket: string,
  { key, fingerprint }: Pick<IntendedObject, 'key' | 'fingerprint'>,
): Promise<ObjectState> {
  const head = await ifFound(client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })));
  if (head === undefined) return 'free';
  return isOutputObject(head, fingerprint) ? 'published' : 'taken';
}

/**
 * Completes one upload. Resolves to false if the upload was aborted. `isReplyClear`: a success in the reply is
 * certainly that of this upload, because the key was free and this is the first attempt.
 *
 * If the reply is not clear, the metadata of the object decides, because an earlier reply may have been lost. When a
 * completed upload is completed again, some servers report an error and others a success, even if another object is at
 * the key.
 */
async function complete(
  deps: PublishDeps,
  list: PublishList,
  object: IntendedObject,
  isReplyClear: boolean,
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await sendComplete(deps, list, object, attempt > 1).catch((error: unknown) => ({ error }));
    deps.failpoint('completed');
    if (isReplyClear && attempt === 1 && 'requests' in result && result.requests === 1) return true;
    const state = await stateOf(deps, list.bucket, object);
    if (state === 'published') return true;
    const failure = 'error' in result ? { ...result, kind: s3ErrorKind(result.error) } : undefined;
    if (failure?.kind === 'no-upload') return false;
    if (state === 'taken' && !list.replace) throw outputExists(object.path);
    const isLost = !(await uploadExists(deps, list.bucket, object));
    // The server may have completed the upload after the state of the object was read.
    if (isLost) return (await stateOf(deps, list.bucket, object)) === 'published';
    // `partETags !== undefined`: if a part was sent twice, its ETag can differ from that in the first reply, so the
    // next attempt asks for the ETags.
    const isRetried = failure === undefined || failure.kind === 'unavailable' || object.partETags !== undefined;
    if (attempt === MAX_TRIES || !isRetried)
      throw failure?.error ?? new Error(`The upload of ${object.path} was completed, but its object did not appear.`);
  }
}

/**
 * Sends the request that completes an upload. Resolves to the number of requests that the SDK sent. `listsParts`: asks
 * the object store for the parts even if the intent contains them.
 */
async function sendComplete(
  { client }: PublishDeps,
  { bucket, replace }: PublishList,
  { key, uploadId, partETags }: IntendedObject,
  listsParts: boolean,
): Promise<{ readonly requests: number | undefined }> {
  const upload = { bucket, key, uploadId };
  const etags =
    partETags === undefined || listsParts ? (await listParts(client, upload)).map(({ ETag }) => ETag) : partETags;
  const { $metadata } = await client.send(
    new CompleteMultipartUploadCommand({
      ...namesOf(upload),
      ...(!replace && { IfNoneMatch: '*' }),
      MultipartUpload: {
        Parts: etags.map((etag, index) => ({ PartNumber: index + 1, ETag: `"${plainETag(etag)}"` })),
      },
    }),
  );
  return { requests: $metadata.attempts };
}

const uploadExists = async (
  { client }: PublishDeps,
  bucket: string,
  { key, uploadId }: IntendedObject,
): Promise<boolean> =>
  (await ifFound(client.send(new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: uploadId })))) !== undefined;

/**
 * Aborts the uploads of a list and removes its objects, except objects that another program has replaced. Removes the
 * object that was published last first, so that a manifest never names a removed object. Throws STORAGE_FAULT.
 */
export async function unpublish(deps: PublishDeps, scratch: string, list: PublishList): Promise<void> {
  const { bucket, objects } = list;
  try {
    await runForAll(objects, ({ key, uploadId }) => abortUpload(deps.client, { bucket, key, uploadId }));
    const states = await statesOf(deps, list);
    const published = objects.filter((_, index) => states[index] === 'published');
    const groups = [...Map.groupBy(published, ({ rank }) => rank)].sort(([a], [b]) => b - a);
    for (const [, group] of groups)
      await runForAll(group, async (object) => {
        const remove = (): Promise<boolean> =>
          deleteIf(deps.client, bucket, object.key, (head) => isOutputObject(head, object.fingerprint));
        await deps.locks.exclusive({ bucket }, object.key, remove, scratch);
      });
  } catch (error) {
    throw storageFailure('removing a published output', error);
  }
}

/** Aborts the recorded uploads of an attempt. Skips buckets to which the service may no longer write. */
export const abortRecorded = (
  { clientOf }: Pick<Buckets, 'clientOf'>,
  uploads: readonly RecordedUpload[],
): Promise<void> =>
  runForAll(uploads, async (upload) => {
    const client = clientOf(upload.bucket, upload.key);
    if (client !== undefined) await abortUpload(client, upload);
  });

interface RemoveDeps {
  /** Returns the bucket of an output. undefined: the client may not delete the output. */
  readonly bucketOf: (path: MediaPath) => Bucket | undefined;
  readonly locks: KeyLocks;
}

/**
 * Deletes outputs of a job. Skips objects that are missing or were replaced, and buckets to which the client may not
 * write. Resolves to the bytes of the others. Throws STORAGE_FAULT.
 */
export async function removeOutputs(
  { bucketOf, locks }: RemoveDeps,
  outputs: readonly Pick<JobOutput, 'path' | 'fingerprint'>[],
): Promise<number> {
  let bytes = 0;
  for (const { path: text, fingerprint } of outputs) {
    const path = parseStoredPath(text);
    const bucket = typeof path === 'string' ? bucketOf(path) : undefined;
    if (typeof path === 'string' && bucket !== undefined)
      bytes += await removeOutput(bucket, locks, path, fingerprint).catch(
        rethrow((error) => storageFailure(`deleting "${path}"`, error)),
      );
  }
  return bytes;
}

async function removeOutput(
  bucket: Bucket,
  locks: KeyLocks,
  path: MediaPath,
  fingerprint: string | undefined,
): Promise<number> {
  const { client, location } = bucket;
  const isOutput = (head: HeadObjectCommandOutput): boolean => isOutputObject(head, fingerprint);
  const head = await headOf(bucket, path);
  if (head === undefined || !isOutput(head)) return 0;
  const key = keyOf(location, path);
  const isDeleted = await locks.exclusive(location, key, () => deleteIf(client, location.bucket, key, isOutput));
  return isDeleted ? (head.ContentLength ?? 0) : 0;
}
