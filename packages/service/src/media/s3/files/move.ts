import { isDeepStrictEqual } from 'node:util';
import {
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { MAX_KEY_BYTES } from '@telecine/contract/domain/bucket-path.ts';
import type { MaybePromise } from '@telecine/contract/domain/maybe-promise.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { FileCheck, FileFacts, FileStore } from '../../../files/ports.ts';
import { rethrow, TargetError } from '../../errno-codes.ts';
import {
  fileExists,
  fileNotFound,
  folderExists,
  folderNotFound,
  keysTooLong,
  notAFile,
  problemAt,
  replacedMeanwhile,
} from '../../file-problems.ts';
import { type Bucket, headOf, isFolder } from '../bucket.ts';
import { deleteIf } from '../delete-object.ts';
import { ifFound } from '../errors.ts';
import type { KeyLocks } from '../key-locks.ts';
import { decodeKey, listPages } from '../list-pages.ts';
import { keyOf } from '../location.ts';
import { factsOf } from '../object-facts.ts';
import { runForAll } from '../run-for-all.ts';
import { fileProblem } from '../s3-failures.ts';
import { headOfTarget } from '../target.ts';
import { type CopyDeps, copyObject, type ObjectVersion, versionOf } from './copy-object.ts';

export interface MoveDeps extends CopyDeps {
  readonly locks: KeyLocks;
}

/** The maximum number of objects in a folder that is moved. The client waits for all copies. */
const MAX_OBJECTS = 1000;

/** How many objects are copied at the same time. */
export const CONCURRENCY = 16;

export const throwAt = (field: '/from' | '/to' | '/path', action: string) =>
  rethrow((error) => problemAt(field, fileProblem(action, error)));

/** Deletes the object at a path, unless another program replaces it after `check`. Resolves to its head. */
export function removeObject(deps: MoveDeps, path: MediaPath, check: FileCheck): Promise<HeadObjectCommandOutput> {
  const { client, location, locks } = deps;
  const key = keyOf(location, path);
  return locks.exclusive(location, key, async () => {
    const head = await headOf(deps, path);
    if (head === undefined && (await isFolder(deps, path))) throw notAFile(path);
    check(head && factsOf(path, { ...head, sizeBytes: head.ContentLength }));
    if (head === undefined) throw fileNotFound(path);
    const isHead = ({ ETag }: HeadObjectCommandOutput): boolean => ETag === head.ETag;
    if (!(await deleteIf(client, location.bucket, key, isHead, head))) throw replacedMeanwhile();
    return head;
  });
}

/** Moves an object; see `FileStore.move`. */
export async function moveFile(
  deps: MoveDeps,
  from: MediaPath,
  to: MediaPath,
  { replace, check }: Parameters<FileStore['move']>[3],
): Promise<FileFacts> {
  const source = {
    key: keyOf(deps.location, from),
    check: async (head: HeadObjectCommandOutput | undefined) => {
      if (head === undefined) throw (await isFolder(deps, from)) ? notAFile(from) : fileNotFound(from);
      check?.(factsOf(from, { ...head, sizeBytes: head.ContentLength }));
    },
  };
  return (await moveObject(deps, source, to, replace).catch(throwAt('/to', 'moving the file'))).facts;
}

interface Source {
  readonly key: string;
  /** Of an earlier version of the object. */
  readonly versionId?: string;
  /** Called with its head before it moves. Throws if there is none. */
  readonly check: (head: HeadObjectCommandOutput | undefined) => MaybePromise<void>;
}

/**
 * Copies an object to a path, and then deletes the original. After a crash, it is at both, and the same request moves it again. `before`: the head
 * of what it has replaced.
 */
export function moveObject(deps: MoveDeps, { key, versionId, check }: Source, to: MediaPath, replace: boolean) {
  const target = keyOf(deps.location, to);
  return exclusiveBoth(deps, key, target, async () => {
    const head = await headOfKey(deps, key, versionId);
    await check(head);
    if (head === undefined) throw replacedMeanwhile();
    const before = await headOfTarget(deps, to);
    if (before !== undefined && !replace) throw fileExists(to);
    const made = await copyObject(deps, key, target, head, versionId);
    const copy = await headOf(deps, to);
    if (copy?.ContentLength !== head.ContentLength) throw replacedMeanwhile();
    // Another program may have replaced the original while it was copied, which can take minutes. Then it stays.
    if (!(await deleteVersion(deps, key, versionOf(head), versionId))) {
      if (before === undefined) await deleteVersion(deps, target, made);
      throw replacedMeanwhile();
    }
    const sizeBytes = head.ContentLength;
    return { facts: factsOf(to, { ...copy, sizeBytes }), before, bytes: sizeBytes ?? 0 };
  });
}

/** Runs `change` while nothing else changes the two keys. Locks them in one order, so that two moves never deadlock. */
function exclusiveBoth<T>({ locks, location }: MoveDeps, a: string, b: string, change: () => Promise<T>): Promise<T> {
  const [first, second] = a < b ? [a, b] : [b, a];
  if (first === second) return locks.exclusive(location, first, change);
  return locks.exclusive(location, first, () => locks.exclusive(location, second, change));
}

/**
 * Moves a folder: copies all of its objects, and then deletes the originals; see `FileStore.moveFolder`. If a copy fails, removes the copies. Leaves
 * what another request has stored at any of the keys meanwhile.
 */
export async function moveFolder(
  deps: MoveDeps,
  from: MediaPath,
  to: MediaPath,
  { before }: Parameters<FileStore['moveFolder']>[3] = {},
): Promise<void> {
  const { location, locks } = deps;
  const [source, target] = [`${keyOf(location, from)}/`, `${keyOf(location, to)}/`];
  const copied: Copy[] = [];
  const removeAll = (versionIn: (copy: Copy) => readonly [string, ObjectVersion]): Promise<void> =>
    runForAll(
      copied,
      async (copy) => {
        const [key, version] = versionIn(copy);
        await locks.exclusive(location, key, () => deleteVersion(deps, key, version));
      },
      CONCURRENCY,
    );
  try {
    const keys = await foldersKeys(deps, from);
    const copyOf = (key: string): string => target + key.slice(source.length);
    const longest = Math.max(...keys.map((key) => Buffer.byteLength(copyOf(key))));
    if (longest > MAX_KEY_BYTES) throw keysTooLong(longest, MAX_KEY_BYTES);
    await requireFree(deps, to);
    await before?.();
    const copyOne = async (key: string): Promise<void> => {
      copied.push(await locks.exclusive(location, copyOf(key), () => copyNew(deps, key, copyOf(key))));
    };
    // Ignore an error of the removal, and throw the error of the copy.
    await runForAll(keys, copyOne, CONCURRENCY).catch(async (error: unknown) => {
      await removeAll(({ copy, made }) => [copy, made]).catch(() => undefined);
      throw error;
    });
    await removeAll(({ key, original }) => [key, original]);
  } catch (error) {
    throwAt('/to', 'moving the folder')(error);
  }
}

interface Copy {
  readonly key: string;
  readonly copy: string;
  readonly original: ObjectVersion;
  readonly made: ObjectVersion;
}

/** Lists the keys of all objects in a folder. Throws FILE_NOT_FOUND if there are none, and INVALID_REQUEST if there are too many. */
export async function foldersKeys({ client, location }: Bucket, path: MediaPath): Promise<readonly string[]> {
  const keys: string[] = [];
  const request = { Bucket: location.bucket, Prefix: `${keyOf(location, path)}/` };
  for await (const { Contents = [] } of listPages(client, request)) {
    for (const { Key = '' } of Contents) {
      const { key } = decodeKey(Key);
      if (key === undefined)
        throw new Problem('STORAGE_FAULT', 'The folder has an object whose key is not UTF-8, which cannot be moved.');
      keys.push(key);
    }
    if (keys.length > MAX_OBJECTS) throw tooMany(path);
  }
  if (keys.length === 0) throw folderNotFound(path);
  return keys;
}

const tooMany = (from: MediaPath): Problem =>
  invalidRequest([
    {
      field: '/from',
      code: 'TOO_MANY',
      message: `Folder "${from}" has more than ${MAX_OBJECTS} files, the most that an object store moves or keeps in one request.`,
    },
  ]);

/** Throws FILE_EXISTS if a path has a file or is a folder. Throws NOT_A_FILE if it is below a file. */
async function requireFree(deps: MoveDeps, path: MediaPath): Promise<void> {
  const head = await headOfTarget(deps, path).catch((error: unknown) => {
    throw error instanceof TargetError && error.conflict === 'folder' ? folderExists(path) : error;
  });
  if (head !== undefined) throw folderExists(path);
}

/** Copies an object to a free key. Throws FILE_EXISTS if the key is taken. */
async function copyNew(deps: MoveDeps, key: string, copy: string): Promise<Copy> {
  const { location } = deps;
  const [head, taken] = await Promise.all([headOfKey(deps, key), headOfKey(deps, copy)]);
  if (head === undefined) throw replacedMeanwhile();
  if (taken !== undefined) throw folderExists(copy.slice(location.prefix.length));
  return { key, copy, original: versionOf(head), made: await copyObject(deps, key, copy, head) };
}

/** Reads the head of an object, or of an earlier version of it. undefined: there is none. */
export async function headOfKey({ client, location: { bucket } }: Bucket, Key: string, VersionId?: string) {
  if (Buffer.byteLength(Key) > MAX_KEY_BYTES) return undefined;
  return ifFound(client.send(new HeadObjectCommand({ Bucket: bucket, Key, VersionId })));
}

/**
 * Deletes one version of an object. Resolves to false, and deletes nothing, if another version has replaced it; see `deleteIf`. `VersionId`: of an
 * earlier version, which nothing replaces.
 */
async function deleteVersion(
  { client, location }: Bucket,
  Key: string,
  version: ObjectVersion,
  VersionId?: string,
): Promise<boolean> {
  if (VersionId === undefined)
    return deleteIf(client, location.bucket, Key, (head) => isDeepStrictEqual(versionOf(head), version));
  await client.send(new DeleteObjectCommand({ Bucket: location.bucket, Key, VersionId }));
  return true;
}

/** Creates an empty folder: an object with the name of the folder and a slash, as other programs for S3 do. */
export async function createFolder(deps: MoveDeps, path: MediaPath): Promise<void> {
  const { client, location, locks } = deps;
  const marker = `${keyOf(location, path)}/`;
  await locks
    .exclusive(location, marker, async () => {
      await requireFree(deps, path);
      await client.send(new PutObjectCommand({ Bucket: location.bucket, Key: marker, Body: Buffer.alloc(0) }));
    })
    .catch(throwAt('/path', 'creating the folder'));
}
