import {
  DeleteObjectCommand,
  GetBucketVersioningCommand,
  type HeadObjectCommandOutput,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandOutput,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { isMediaPath, type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { rememberEach } from '@telecine/contract/domain/remember.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import { noBinEntry, type StoredFile } from '@telecine/contract/domain/stored-files.ts';
import type { BinEntry, BinItem, FileStore } from '../../../files/ports.ts';
import { type Bucket, pathBelow } from '../bucket.ts';
import { decodeKey, listPages } from '../list-pages.ts';
import { keyOf } from '../location.ts';
import { runForAll } from '../run-for-all.ts';
import { fileProblem } from '../s3-failures.ts';
import { headOfTarget } from '../target.ts';
import {
  CONCURRENCY,
  copyTo,
  exclusiveBoth,
  headOfKey,
  type MoveDeps,
  objectsIn,
  pathIn,
  removeObject,
  type Source,
  throwAt,
} from './move.ts';

/*
 * In a bucket with versions, these are the bin: a deletion only adds a marker, and a replaced object stays as an earlier version. How long they stay
 * is a matter of the lifecycle rules of the bucket. A bucket without versions has no bin.
 */

/** The id of a version: it says where the file was. */
const idOf = (path: string, versionId: string): string => Buffer.from(`${versionId}\0${path}`).toString('base64url');

/** Reads an id. The path is one of the client: it is below the prefix of its media root. */
function readId(entryId: string): { readonly path: MediaPath; readonly versionId: string } | undefined {
  const [versionId = '', path = ''] = Buffer.from(entryId, 'base64url').toString().split('\0');
  return versionId !== '' && isMediaPath(path) ? { path, versionId } : undefined;
}

/** Returns the entry that an object becomes when it is deleted or replaced now. undefined: its bucket keeps no versions. */
export function entryOf(path: MediaPath, head: HeadObjectCommandOutput | undefined): BinEntry | undefined {
  const { VersionId, ContentLength: bytes = 0 } = head ?? {};
  if (VersionId === undefined || VersionId === 'null') return undefined;
  return { entryId: idOf(path, VersionId), path, bytes, deletedAt: new Date() };
}

type BinKind = 'versions' | 'none';

/** How long a reply about versions is used, so that a deletion of many paths asks once. S3 itself applies a change only after minutes. */
const REPLY_MS = 10_000;

const repliesOf = rememberEach((_client: S3Client) => new Map<string, Promise<BinKind>>());

/** See `FileStore.binOf`. If the service may not read whether a bucket keeps versions, the bucket counts as one without a bin. */
export function binOf({ client, location: { bucket } }: Bucket): Promise<BinKind> {
  const replies = repliesOf(client);
  const ask = async (): Promise<BinKind> => {
    setTimeout(() => replies.delete(bucket), REPLY_MS).unref();
    const reply = client.send(new GetBucketVersioningCommand({ Bucket: bucket })).catch((error: unknown) => {
      if (error instanceof S3ServiceException && [403, 501].includes(error.$metadata.httpStatusCode ?? 0)) return;
      replies.delete(bucket);
      throw fileProblem('reading whether the bucket keeps versions', error);
    });
    return (await reply)?.Status === 'Enabled' ? 'versions' : 'none';
  };
  const reply = replies.get(bucket) ?? ask();
  replies.set(bucket, reply);
  return reply;
}

/** Deletes the objects of a folder, of which the bucket keeps the versions. */
export async function keepFolder(deps: MoveDeps, path: MediaPath): Promise<undefined> {
  const remove = async (name: string): Promise<void> => {
    await removeObject(deps, pathIn(path, name)).catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'FILE_NOT_FOUND')) throw error;
    });
  };
  await runForAll(await objectsIn(deps, path), remove, CONCURRENCY);
}

interface Version extends BinEntry {
  readonly isCurrent: boolean;
}

/** Lists the versions of all objects of a media root, by their keys, and the newest of each first. */
async function* versionsOf({ client, location }: Bucket, prefix: string, signal: AbortSignal) {
  let [KeyMarker, VersionIdMarker]: (string | undefined)[] = [];
  /** The key and the time of the version before in the list, which is newer if it has the same key. */
  let last = { key: '', at: new Date(0) };
  for (let more = true; more; ) {
    const request = { Bucket: location.bucket, Prefix: prefix, EncodingType: 'url' as const };
    const command = new ListObjectVersionsCommand({ ...request, KeyMarker, VersionIdMarker });
    const page: ListObjectVersionsCommandOutput = await client.send(command, { abortSignal: signal });
    const all = [
      ...(page.Versions ?? []),
      ...(page.DeleteMarkers ?? []).map((marker) => ({ ...marker, Size: undefined })),
    ].map((one) => ({ ...one, key: decodeKey(one.Key ?? '').key ?? '', at: one.LastModified ?? new Date(0) }));
    all.sort((a, b) => Buffer.compare(Buffer.from(a.key), Buffer.from(b.key)) || b.at.getTime() - a.at.getTime());
    const found: Version[] = [];
    for (const { Key, key, at, IsLatest = false, VersionId = '', Size } of all) {
      const path = pathBelow(location.prefix, Key);
      const deletedAt = last.key === key ? last.at : at;
      last = { key, at };
      // A marker of a deletion has no size.
      if (path === undefined || Size === undefined) continue;
      found.push({ entryId: idOf(path, VersionId), path, bytes: Size, deletedAt, isCurrent: IsLatest });
    }
    yield found;
    [KeyMarker, VersionIdMarker] = [page.NextKeyMarker, page.NextVersionIdMarker];
    more = page.IsTruncated === true && KeyMarker !== undefined;
  }
}

/** How many versions are looked at for a list of the bin, because a client waits for it. */
const MOST_VERSIONS = 100_000;

/** Lists the versions that can be restored; see `FileStore.listBin`. */
export async function listBin(deps: Bucket): Promise<readonly BinItem[]> {
  if ((await binOf(deps)) === 'none') return [];
  const items: BinItem[] = [];
  let count = 0;
  try {
    for await (const versions of versionsOf(deps, deps.location.prefix, NEVER)) {
      for (const { isCurrent, entryId, bytes, deletedAt } of versions)
        if (!isCurrent) items.push({ entryId, bytes, deletedAt });
      count += versions.length;
      if (count > MOST_VERSIONS) break;
    }
  } catch (error) {
    throw fileProblem('listing the bin', error);
  }
  return items.sort((a, b) => b.deletedAt.getTime() - a.deletedAt.getTime());
}

/** See `FileStore.pathInBin`. */
export const pathInBin = async (entryId: string): Promise<string | undefined> => readId(entryId)?.path;

/**
 * Runs `change` with a version in the bin, while nothing else changes its object or the one at `to`. Resolves to undefined if there is no such
 * version: it was deleted, or is the object itself, as in a bucket without versions.
 */
async function withVersion<T>(
  deps: MoveDeps,
  entryId: string,
  to: MediaPath | undefined,
  change: (version: Source, remove: () => Promise<unknown>) => Promise<T>,
): Promise<T | undefined> {
  const { client, location } = deps;
  const id = readId(entryId);
  if (id === undefined) return undefined;
  const [key, versionId] = [keyOf(location, id.path), id.versionId];
  return exclusiveBoth(deps, key, to === undefined ? key : keyOf(location, to), async () => {
    const [head, current] = await Promise.all([headOfKey(deps, key, versionId), headOfKey(deps, key)]);
    if (head === undefined || (current !== undefined && (current.VersionId ?? 'null') === versionId)) return undefined;
    const version = { Bucket: location.bucket, Key: key, VersionId: versionId };
    return change({ key, head, versionId }, () => client.send(new DeleteObjectCommand(version)));
  });
}

/** Copies a version to a path, and then deletes it; see `FileStore.restoreFromBin`. */
export async function restoreFromBin(
  deps: MoveDeps,
  entryId: string,
  to: MediaPath,
): ReturnType<FileStore['restoreFromBin']> {
  const restored = await withVersion(deps, entryId, to, async (version, remove) => {
    const { facts } = await copyTo(deps, version, to, await headOfTarget(deps, to));
    // The file is back. If the service may not delete the version, this stays in the bin.
    await remove().catch(() => undefined);
    return facts;
  }).catch(throwAt('/to', 'restoring the file'));
  if (restored === undefined) throw noBinEntry(entryId);
  return { entry: { kind: 'file', ...restored }, bytes: restored.sizeBytes };
}

/** Deletes a version permanently; see `FileStore.purgeFromBin`. */
export const purgeFromBin = (deps: MoveDeps, entryId: string): Promise<number | undefined> =>
  withVersion(deps, entryId, undefined, async ({ head }, remove) => {
    await remove();
    return head.ContentLength ?? 0;
  }).catch(throwAt('/path', 'emptying the bin'));

/** Lists the files of a media root, and those in its bin; see `FileStore.walk`. */
export async function* walk(deps: Bucket, folder: string, signal: AbortSignal): AsyncGenerator<readonly StoredFile[]> {
  const prefix = deps.location.prefix + folder;
  try {
    if ((await binOf(deps)) === 'versions') {
      for await (const versions of versionsOf(deps, prefix, signal))
        yield versions.map(({ path, bytes, isCurrent }) => ({
          path: isCurrent ? path : `${RESERVED_PREFIX}/${path}`,
          bytes,
        }));
      return;
    }
    const request = { Bucket: deps.location.bucket, Prefix: prefix };
    for await (const { Contents = [] } of listPages(deps.client, request, signal))
      yield Contents.flatMap(({ Key, Size = 0 }) => {
        const path = pathBelow(deps.location.prefix, Key);
        return path === undefined ? [] : [{ path, bytes: Size }];
      });
  } catch (error) {
    signal.throwIfAborted();
    throw fileProblem('listing the files', error);
  }
}
