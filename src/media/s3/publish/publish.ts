import {
  CompleteMultipartUploadCommand,
  HeadObjectCommand,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import { outputExists } from '../../job-failures.ts';
import { all } from '../all.ts';
import { ifFound, plainETag, s3ErrorKind } from '../errors.ts';
import { listKeys } from '../list-keys.ts';
import { isOutputObject } from '../output-object.ts';
import { outputFailure } from '../s3-failures.ts';
import type { IntendedObject, PublishList } from './intent.ts';
import type { PublishDeps } from './prepare.ts';

/** What is at the key of an object to be published. */
type ObjectState = 'published' | 'taken' | 'free';

/** How often completing an upload is tried if its outcome stays unknown, after the retries of the SDK. */
const MAX_TRIES = 2;

/**
 * Completes the uploads of a list, objects with a lower rank first. Reads the state of all objects before it changes any
 * of them. `isFirst`: whether nobody has tried to publish the list before. Resolves to false if an upload was aborted.
 * Throws OUTPUT_EXISTS, STORAGE_FAULT.
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
    // Complete and aborted uploads are forgotten. Without this check, publishing would stop half way at the first aborted one.
    if ((await deps.uploads.find(scratch)).uploads.length === 0)
      return (await statesOf(deps, list)).every((state) => state === 'published');
    // Not every S3-compatible server checks, when it completes an upload, that there is no object.
    await deps.locks.reserve(scratch, list.bucket, keys);
    deps.failpoint('reserved');
    const states = await statesOf(deps, list);
    for (const [index, { path }] of list.objects.entries())
      if (states[index] === 'taken' && !list.replace) throw outputExists(path);
    const open = list.objects.flatMap((object, index) =>
      states[index] === 'published' ? [] : [{ object, isReplyClear: isFirst && states[index] === 'free' }],
    );
    for (const group of [...Map.groupBy(open, ({ object }) => object.rank)]
      .sort(([a], [b]) => a - b)
      .map(([, group]) => group)) {
      const lost: IntendedObject[] = [];
      await all(group, async ({ object, isReplyClear }) => {
        if (!(await complete(deps, list, object, isReplyClear))) lost.push(object);
      });
      if (lost.length > 0) return false;
    }
    await deps.uploads.forgetUploads(scratch);
    return true;
  } catch (error) {
    throw outputFailure(first?.path ?? '', error);
  }
}

/** Reads which objects are at the keys of a list. A list of the bucket tells which keys are free. */
export async function statesOf(
  deps: Pick<PublishDeps, 'client'>,
  { bucket, objects }: PublishList,
): Promise<readonly ObjectState[]> {
  const states = objects.map((): ObjectState => 'free');
  const listed = await listKeys(
    deps.client,
    bucket,
    objects.map(({ key }) => key),
  );
  await all(objects, async (object, index) => {
    if (listed?.objects.has(object.key) !== false) states[index] = await stateOf(deps, bucket, object);
  });
  return states;
}

/** Reads which object is at a key: its metadata tell which attempt wrote it. */
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
 * Completes one upload. Resolves to false if it was aborted. `isReplyClear`: whether a reply that this is done can mean
 * nothing else, because the key was free and no request to complete the upload was sent before. Any other reply does not
 * decide: it can be lost, a retry of a completed upload is an error on some servers, and a success on others even where
 * another object is at the key. Then the metadata of the object decides.
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
    // The server may have completed it after the first look.
    if (isLost) return (await stateOf(deps, list.bucket, object)) === 'published';
    // A part that was sent twice can have another ETag than the first reply said.
    const isRetried = failure === undefined || failure.kind === 'unavailable' || object.partETags !== undefined;
    if (attempt === MAX_TRIES || !isRetried)
      throw failure?.error ?? new Error(`The upload of ${object.path} was completed, but its object did not appear.`);
  }
}

/** Sends the request, and resolves to how often the SDK did. `listsParts`: whether to read the parts even if they are known. */
async function sendComplete(
  { client }: PublishDeps,
  { bucket, replace }: PublishList,
  { key, uploadId, partETags }: IntendedObject,
  listsParts: boolean,
): Promise<{ readonly requests: number | undefined }> {
  const upload = { Bucket: bucket, Key: key, UploadId: uploadId };
  const etags = partETags === undefined || listsParts ? await listPartETags(client, upload) : partETags;
  const { $metadata } = await client.send(
    new CompleteMultipartUploadCommand({
      ...upload,
      ...(!replace && { IfNoneMatch: '*' }),
      MultipartUpload: {
        Parts: etags.map((etag, index) => ({ PartNumber: index + 1, ETag: `"${plainETag(etag)}"` })),
      },
    }),
  );
  return { requests: $metadata.attempts };
}

/**
 * Lists the ETags of all parts of an upload, in their order. A server may list fewer at once than it is asked for; an object
 * of those only would be cut off.
 */
async function listPartETags(
  client: S3Client,
  upload: { readonly Bucket: string; readonly Key: string; readonly UploadId: string },
): Promise<readonly (string | undefined)[]> {
  const etags: (string | undefined)[] = [];
  for (let marker: string | undefined, more = true; more; ) {
    const page: ListPartsCommandOutput = await client.send(
      new ListPartsCommand({ ...upload, MaxParts: 1000, PartNumberMarker: marker }),
    );
    etags.push(...(page.Parts ?? []).map(({ ETag }) => ETag));
    marker = page.NextPartNumberMarker;
    more = page.IsTruncated === true;
    if (more && marker === undefined) throw new Error('The object store listed only some parts of an upload.');
  }
  return etags;
}

const uploadExists = async (
  { client }: PublishDeps,
  bucket: string,
  { key, uploadId }: IntendedObject,
): Promise<boolean> =>
  (await ifFound(client.send(new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: uploadId })))) !== undefined;
