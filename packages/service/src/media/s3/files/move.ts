import { isDeepStrictEqual } from 'node:util';
import {
  DeleteObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { MAX_KEY_BYTES } from '@telecine/contract/domain/bucket-path.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { FileCheck, FileFacts, FolderSteps } from '../../../files/ports.ts';
import { rethrow, TargetError } from '../../errno-codes.ts';
import {
  fileExists,
  fileNotFound,
  folderExists,
  folderNotFound,
  notAFile,
  pathsTooLong,
  problemAt,
} from '../../file-problems.ts';
import { type Bucket, headOf, isFolder } from '../bucket.ts';
import { deleteIf } from '../delete-object.ts';
import { ifFound, s3ErrorKind } from '../errors.ts';
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

/** Moves an object: copies it, and then deletes the original; see `FileStore.move`. */
export async function moveObject(
  deps: MoveDeps,
  from: MediaPath,
  to: MediaPath,
  { replace, check }: { readonly replace: boolean; readonly check?: FileCheck | undefined },
): Promise<FileFacts> {
  const { location } = deps;
  const [source, target] = [keyOf(location, from), keyOf(location, to)];
  return exclusiveBoth(deps, source, target, async () => {
    const head = await headOf(deps, from);
    if (head === undefined) throw (await isFolder(deps, from)) ? notAFile(from) : fileNotFound(from);
    check?.(factsOf(from, { ...head, sizeBytes: head.ContentLength }));
    const isTaken = (await headOfTarget(deps, to)) !== undefined;
    if (isTaken && !replace) throw fileExists(to);
    const made = await copyObject(deps, source, target, head);
    const copy = await headOf(deps, to);
    if (copy?.ContentLength !== head.ContentLength) throw replacedMeanwhile();
    // Another program may have replaced the original while it was copied, which can take minutes. Then it stays.
    if (!(await deleteVersion(deps, source, versionOf(head)))) {
      if (!isTaken) await deleteVersion(deps, target, made);
      throw replacedMeanwhile();
    }
    return factsOf(to, { ...copy, sizeBytes: copy?.ContentLength });
  }).catch(throwAt('/to', 'moving the file'));
}

/** Runs `change` while nothing else changes the two keys. Locks them in one order, so that two moves never deadlock. */
export function exclusiveBoth<T>(
  { locks, location }: MoveDeps,
  a: string,
  b: string,
  change: () => Promise<T>,
): Promise<T> {
  const [first, second] = a < b ? [a, b] : [b, a];
  return locks.exclusive(location, first, () => locks.exclusive(location, second, change));
}

export const replacedMeanwhile = (): Problem =>
  new Problem('UNAVAILABLE', 'Another program changed the file meanwhile. Send the request again.', {
    retryAfterSeconds: 1,
  });

/** Moves a folder; see `FileStore.moveFolder`. */
export async function moveFolder(
  deps: MoveDeps,
  from: MediaPath,
  to: MediaPath,
  steps: FolderSteps = {},
): Promise<void> {
  const { location } = deps;
  const source = { path: from, prefix: `${keyOf(location, from)}/` };
  try {
    await moveKeys(deps, source, `${keyOf(location, to)}/`, {
      before: () => beforeCopies(deps, to, steps),
    });
  } catch (error) {
    throwAt('/to', 'moving the folder')(error);
  }
}

/** Runs the steps of a folder whose keys are read: at most `MAX_OBJECTS`. */
export async function beforeCopies(deps: MoveDeps, to: MediaPath, { by, prepare, before }: FolderSteps): Promise<void> {
  await requireFree(deps, to);
  by?.hangUp?.throwIfAborted();
  await prepare?.();
  await before?.();
}

/** What `moveKeys` and `copyKeys` call. */
interface MoveSteps {
  /** Before the first copy. If it throws, nothing is copied. */
  readonly before: () => Promise<void>;
  /** After a failure, also of `before`, if certainly no copy is left. */
  readonly undone?: () => Promise<void>;
}

interface Copy {
  readonly key: string;
  readonly copy: string;
  readonly original: ObjectVersion;
  readonly made: ObjectVersion;
}

/** The objects with a prefix. Errors name `path`. */
interface Source {
  readonly path: MediaPath;
  readonly prefix: string;
}

/** Moves all objects with a prefix: copies all of them like `copyKeys`, and then deletes the originals. */
export async function moveKeys(deps: MoveDeps, source: Source, target: string, steps: MoveSteps): Promise<void> {
  const copied = await copyKeys(deps, source, target, steps);
  await runForAll(copied, async ({ key, original }) => void (await deleteLocked(deps, key, original)), CONCURRENCY);
}

const deleteLocked = (deps: MoveDeps, key: string, version: ObjectVersion): Promise<boolean> =>
  deps.locks.exclusive(deps.location, key, () => deleteVersion(deps, key, version));

/**
 * Copies all objects with a prefix. If a copy fails, removes the copies that were made, but nothing that another request
 * has stored at their keys meanwhile. Throws FILE_NOT_FOUND about `path` if there are no objects.
 */
export async function copyKeys(
  deps: MoveDeps,
  { path, prefix }: Source,
  target: string,
  { before, undone }: MoveSteps,
): Promise<readonly Copy[]> {
  const { location, locks } = deps;
  const keys = await keysBelow(deps, prefix);
  if (keys.length === 0) throw folderNotFound(path);
  if (keys.length > MAX_OBJECTS) throw tooMany(path);
  const moves = keys.map((key) => ({ key, copy: target + key.slice(prefix.length) }));
  const longest = Math.max(...moves.map(({ copy }) => Buffer.byteLength(copy)));
  if (longest > MAX_KEY_BYTES) throw pathsTooLong('key', longest, MAX_KEY_BYTES);
  await before().catch(async (error: unknown) => {
    await undone?.();
    throw error;
  });
  const copied: Copy[] = [];
  let isCertain = true;
  const copyOne = async ({ key, copy }: (typeof moves)[number]): Promise<void> => {
    try {
      copied.push(await locks.exclusive(location, copy, () => copyNew(deps, key, copy)));
    } catch (error) {
      isCertain &&= hasFailed(error);
      throw error;
    }
  };
  try {
    await runForAll(moves, copyOne, CONCURRENCY);
  } catch (error) {
    const removeOne = async ({ copy, made }: Copy): Promise<void> => {
      const isGone = await deleteLocked(deps, copy, made);
      isCertain &&= isGone;
    };
    // Ignore an error of this removal, and throw the error of the copy.
    const isUndone = await runForAll(copied, removeOne, CONCURRENCY).then(
      () => isCertain,
      () => false,
    );
    if (isUndone) await undone?.();
    throw error;
  }
  return copied;
}

/** Returns whether a request has certainly changed nothing. If its reply was lost, it may have. */
export const hasFailed = (error: unknown): boolean => s3ErrorKind(error) !== 'unavailable';

/** Lists the keys that begin with a prefix: one more than a move allows, at most. */
export async function keysBelow({ client, location }: MoveDeps, prefix: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { Contents = [] } of listPages(client, { Bucket: location.bucket, Prefix: prefix })) {
    for (const { Key = '' } of Contents) {
      const { key } = decodeKey(Key);
      if (key === undefined)
        throw new Problem('STORAGE_FAULT', 'The folder has an object whose key is not UTF-8, which cannot be moved.');
      keys.push(key);
    }
    if (keys.length > MAX_OBJECTS) break;
  }
  return keys;
}

const tooMany = (from: MediaPath): Problem =>
  invalidRequest([
    {
      field: '/from',
      code: 'TOO_MANY',
      message: `Folder "${from}" has more than ${MAX_OBJECTS} files, the most that an object store moves in one request.`,
    },
  ]);

/** Throws FILE_EXISTS if a path has a file or is a folder. Throws NOT_A_FILE if it is below a file. */
export async function requireFree(deps: MoveDeps, path: MediaPath): Promise<void> {
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

export const headOfKey = ({ client, location }: Bucket, key: string): Promise<HeadObjectCommandOutput | undefined> =>
  ifFound(client.send(new HeadObjectCommand({ Bucket: location.bucket, Key: key })));

/** Deletes one version of an object. Resolves to false, and deletes nothing, if another version has replaced it; see `deleteIf`. */
export const deleteVersion = ({ client, location }: Bucket, key: string, version: ObjectVersion): Promise<boolean> =>
  deleteIf(client, location.bucket, key, (head) => isDeepStrictEqual(versionOf(head), version));

export const deleteKey = async ({ client, location }: Bucket, key: string): Promise<void> => {
  await client.send(new DeleteObjectCommand({ Bucket: location.bucket, Key: key }));
};

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
