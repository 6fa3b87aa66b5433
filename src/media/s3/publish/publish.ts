import { CompleteMultipartUploadCommand, HeadObjectCommand, ListPartsCommand } from '@aws-sdk/client-s3';
import { outputExists } from '../../job-failures.ts';
import { ifFound, plainETag, s3ErrorKind } from '../errors.ts';
import { isOutputObject } from '../output-object.ts';
import { outputFailure } from '../s3-failures.ts';
import type { IntendedObject, PublishList } from './intent.ts';
import { all, type PublishDeps } from './prepare.ts';

/** What is at the key of an object to be published. */
type ObjectState = 'published' | 'taken' | 'free';

/** How often completing an upload is tried if its outcome stays unknown, after the retries of the SDK. */
const MAX_TRIES = 2;

/**
 * Completes the uploads of a list, objects with a lower rank first. Reads the state of all objects before it changes any
 * of them. Resolves to false if an upload was aborted. Throws OUTPUT_EXISTS, STORAGE_FAULT.
 */
export async function publish(deps: PublishDeps, scratch: string, list: PublishList): Promise<boolean> {
  const keys = list.objects.map(({ key }) => key);
  const [first] = list.objects;
  try {
    const before = await statesOf(deps, list);
    if (before.every((state) => state === 'published')) return true;
    // Aborted uploads are forgotten. Without this check, publishing would stop half way at the first aborted one.
    if ((await deps.uploads.find(scratch)).uploads.length === 0) return false;
    // Not every S3-compatible server checks, when it completes an upload, that there is no object.
    await deps.locks.reserve(scratch, list.bucket, keys);
    deps.failpoint('reserved');
    const states = await statesOf(deps, list);
    for (const [index, { path }] of list.objects.entries())
      if (states[index] === 'taken' && !list.replace) throw outputExists(path);
    const open = list.objects.filter((_, index) => states[index] !== 'published');
    for (const group of [...Map.groupBy(open, ({ rank }) => rank)]
      .sort(([a], [b]) => a - b)
      .map(([, group]) => group)) {
      const lost: IntendedObject[] = [];
      await all(group, async (object) => {
        if (!(await complete(deps, list, object))) lost.push(object);
      });
      if (lost.length > 0) return false;
    }
    await deps.uploads.forgetUploads(scratch);
    return true;
  } catch (error) {
    throw outputFailure(first?.path ?? '', error);
  }
}

async function statesOf(deps: PublishDeps, list: PublishList): Promise<readonly ObjectState[]> {
  const states: ObjectState[] = [];
  await all(list.objects, async (object, index) => {
    states[index] = await stateOf(deps, list.bucket, object);
  });
  return states;
}

/** Reads which object is at a key: its metadata tell which attempt wrote it. */
export async function stateOf(
  { client }: Pick<PublishDeps, 'client'>,
  bucket: string,
  { key, fingerprint }: Pick<IntendedObject, 'key' | 'fingerprint'>,
): Promise<ObjectState> {
  const head = await ifFound(client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })));
  if (head === undefined) return 'free';
  return isOutputObject(head, fingerprint) ? 'published' : 'taken';
}

/**
 * Completes one upload. Resolves to false if it was aborted. The reply does not decide: it can be lost, a retry of a
 * completed upload is an error on some servers, and a success on others even where another object is at the key. The
 * metadata of the object decides.
 */
async function complete(deps: PublishDeps, list: PublishList, object: IntendedObject): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const failure = await sendComplete(deps, list, object).then(
      () => undefined,
      (error: unknown) => ({ error, kind: s3ErrorKind(error) }),
    );
    deps.failpoint('completed');
    const state = await stateOf(deps, list.bucket, object);
    if (state === 'published') return true;
    if (failure?.kind === 'no-upload') return false;
    if (state === 'taken' && !list.replace) throw outputExists(object.path);
    const isLost = !(await uploadExists(deps, list.bucket, object));
    // The server may have completed it after the first look.
    if (isLost) return (await stateOf(deps, list.bucket, object)) === 'published';
    if (attempt === MAX_TRIES || (failure !== undefined && failure.kind !== 'unavailable'))
      throw failure?.error ?? new Error(`The upload of ${object.path} was completed, but its object did not appear.`);
  }
}

async function sendComplete(
  { client }: PublishDeps,
  { bucket, replace }: PublishList,
  { key, uploadId }: IntendedObject,
): Promise<void> {
  const upload = { Bucket: bucket, Key: key, UploadId: uploadId };
  const { Parts = [] } = await client.send(new ListPartsCommand({ ...upload, MaxParts: 1000 }));
  const parts = Parts.map(({ PartNumber, ETag }) => ({ PartNumber, ETag: `"${plainETag(ETag)}"` }));
  await client.send(
    new CompleteMultipartUploadCommand({
      ...upload,
      ...(!replace && { IfNoneMatch: '*' }),
      MultipartUpload: { Parts: parts },
    }),
  );
}

const uploadExists = async (
  { client }: PublishDeps,
  bucket: string,
  { key, uploadId }: IntendedObject,
): Promise<boolean> =>
  (await ifFound(client.send(new ListPartsCommand({ Bucket: bucket, Key: key, UploadId: uploadId })))) !== undefined;
