import { isDeepStrictEqual } from 'node:util';
import { HeadObjectCommand, type HeadObjectCommandOutput, PutObjectCommand } from '@aws-sdk/client-s3';
import { MAX_KEY_BYTES } from '@telecine/contract/domain/bucket-path.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import type { FileCheck, FileEntry, FileStore } from '../../../files/ports.ts';
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
import { factsOf, OUTPUT_METADATA, UPLOAD_ID } from '../object-facts.ts';
import { runForAll } from '../run-for-all.ts';
import { fileProblem } from '../s3-failures.ts';
import { headOfTarget } from '../target.ts';
import { type CopyDeps, copyObject } from './copy-object.ts';

export interface MoveDeps extends CopyDeps {
  readonly locks: KeyLocks;
}

type Head = HeadObjectCommandOutput;

/** The maximum number of objects in a folder that is moved. The client waits for all copies. */
const MAX_OBJECTS = 1000;

/** How many objects are copied at the same time. */
export const CONCURRENCY = 16;

export const throwAt = (field: '/from' | '/to' | '/path', action: string) =>
  rethrow((error) => problemAt(field, fileProblem(action, error)));

/** Reads the head of the object at a path. Throws a problem if there is none, and the errors of `check`. */
async function headOfFile(deps: Bucket, path: MediaPath, check?: FileCheck): Promise<Head> {
  const head = await headOf(deps, path);
  if (head === undefined) throw (await isFolder(deps, path)) ? notAFile(path) : fileNotFound(path);
  check?.(factsOf(path, { ...head, sizeBytes: head.ContentLength }));
  return head;
}

/** Reads the head of an object, or of an earlier version of it. undefined: there is none. */
export async function headOfKey({ client, location: { bucket } }: Bucket, Key: string, VersionId?: string) {
  if (Buffer.byteLength(Key) > MAX_KEY_BYTES) return undefined;
  return ifFound(client.send(new HeadObjectCommand({ Bucket: bucket, Key, VersionId })));
}

/** Whether two heads are of an object and its copy. Copied parts have another ETag, but each upload and output has an id in its metadata. */
const isCopy = (a: Head, b: Head): boolean =>
  a.ContentLength === b.ContentLength &&
  isDeepStrictEqual(a.Metadata, b.Metadata) &&
  (a.ETag === b.ETag || [UPLOAD_ID, OUTPUT_METADATA].some((field) => a.Metadata?.[field] !== undefined));

/** Deletes an object. Resolves to false, and deletes nothing, if another one has replaced it. */
const deleteUnchanged = ({ client, location }: Bucket, key: string, head: Head, known?: Head): Promise<boolean> =>
  deleteIf(client, location.bucket, key, (now) => now.ETag === head.ETag && isCopy(now, head), known);

/** Deletes the object at a path, unless another program replaces it after `check`. Resolves to its head. */
export function removeObject(deps: MoveDeps, path: MediaPath, check?: FileCheck): Promise<Head> {
  const key = keyOf(deps.location, path);
  return deps.locks.exclusive(deps.location, key, async () => {
    const head = await headOfFile(deps, path, check);
    if (await deleteUnchanged(deps, key, head, head)) return head;
    // The condition of the client decides first about the new object.
    await headOfFile(deps, path, check);
    throw replacedMeanwhile();
  });
}

/** Runs `change` while nothing else changes the two keys. Locks them in one order, so that two moves never deadlock. */
export function exclusiveBoth<T>({ locks, location }: MoveDeps, a: string, b: string, change: () => Promise<T>) {
  const [first, second] = a < b ? [a, b] : [b, a];
  if (first === second) return locks.exclusive(location, first, change);
  return locks.exclusive(location, first, () => locks.exclusive(location, second, change));
}

/** An object, or an earlier version of it. */
export interface Source {
  readonly key: string;
  readonly versionId?: string;
  readonly head: Head;
}

/**
 * Copies an object to a path, whose key is locked. `before`: the head of what is there. A copy that is there counts, except for a version or if
 * `replace`.
 */
export async function copyTo(
  deps: MoveDeps,
  { key, head, versionId }: Source,
  to: MediaPath,
  before: Head | undefined,
  replace = false,
) {
  const isDone = before !== undefined && !replace && versionId === undefined && isCopy(before, head);
  if (before !== undefined && !isDone && !replace) throw fileExists(to);
  if (!isDone) await copyObject(deps, key, keyOf(deps.location, to), head, versionId);
  const copy = isDone ? before : await headOf(deps, to);
  if (copy === undefined || copy.ContentLength !== head.ContentLength) throw replacedMeanwhile();
  return { facts: factsOf(to, { ...copy, sizeBytes: copy.ContentLength }), copy, isNew: before === undefined };
}

/*
 * A move copies all objects, and then deletes the originals. Both leave what another request or program stores at one of the keys meanwhile. After a
 * crash or a failure, objects are at both paths, and the same request ends the move: a copy at the new path counts as moved.
 */

/** An object, and its copy at `to`. */
interface Copy {
  readonly source: Source;
  readonly to: MediaPath;
  readonly copy: Head;
}

/**
 * Deletes the original of a copy. Resolves to false, and deletes nothing, if another object has replaced one of the two, or if the copy is gone:
 * two opposite moves at the same time take the originals of each other for copies. Both keys are locked.
 */
const deleteOriginal = async (deps: MoveDeps, { source: { key, head }, to, copy }: Copy): Promise<boolean> =>
  (await headOf(deps, to))?.ETag === copy.ETag && deleteUnchanged(deps, key, head);

/** Moves an object; see `FileStore.move`. */
export async function moveFile(
  deps: MoveDeps,
  from: MediaPath,
  to: MediaPath,
  { replace, check }: Parameters<FileStore['move']>[3],
): Promise<FileEntry> {
  const { client, location, locks } = deps;
  const target = keyOf(location, to);
  try {
    const head = await headOfFile(deps, from, check).catch(throwAt('/from', 'moving the file'));
    const source = { key: keyOf(location, from), head };
    const { facts, copy, isNew } = await locks.exclusive(location, target, async () =>
      copyTo(deps, source, to, await headOfTarget(deps, to), replace),
    );
    return await exclusiveBoth(deps, source.key, target, async () => {
      // Another request or program may have replaced the original while it was copied, which can take minutes.
      if (await deleteOriginal(deps, { source, to, copy })) return { kind: 'file', ...facts };
      if (isNew) await deleteIf(client, location.bucket, target, ({ ETag }) => ETag === copy.ETag);
      throw replacedMeanwhile();
    });
  } catch (error) {
    return throwAt('/to', 'moving the file')(error);
  }
}

/** Moves all objects of a folder; see `FileStore.move`. Finds conflicts before the first copy. */
export async function moveFolder(deps: MoveDeps, from: MediaPath, to: MediaPath): Promise<FileEntry> {
  try {
    const names = await objectsIn(deps, from);
    const longest = Math.max(...names.map((name) => Buffer.byteLength(keyOf(deps.location, pathIn(to, name)))));
    if (longest > MAX_KEY_BYTES) throw keysTooLong(longest, MAX_KEY_BYTES);
    const taken = new Set(await namesIn(deps, to));
    const copied = names.filter((name) => taken.has(name)).length;
    // A part may be there already, or all of it, if a part was deleted at its old path.
    if (copied === 0 || copied < Math.min(names.length, taken.size)) await requireFree(deps, to);
    const sources = new Map<string, Source>();
    const find = async (name: string): Promise<void> => {
      const head = await headOf(deps, pathIn(from, name));
      if (head === undefined) throw replacedMeanwhile();
      const other = taken.has(name) ? await headOf(deps, pathIn(to, name)) : undefined;
      if (other !== undefined && !isCopy(other, head)) throw folderExists(to);
      sources.set(name, { key: keyOf(deps.location, pathIn(from, name)), head });
    };
    const copies: Copy[] = [];
    const copy = async ([name, source]: readonly [string, Source]): Promise<void> => {
      const path = pathIn(to, name);
      const copyNow = async () => copyTo(deps, source, path, await headOf(deps, path));
      const copied = await deps.locks.exclusive(deps.location, keyOf(deps.location, path), copyNow);
      copies.push({ source, to: path, copy: copied.copy });
    };
    const remove = async (one: Copy): Promise<void> => {
      await exclusiveBoth(deps, one.source.key, keyOf(deps.location, one.to), () => deleteOriginal(deps, one));
    };
    await runForAll(names, find, CONCURRENCY);
    await runForAll([...sources], copy, CONCURRENCY);
    await runForAll(copies, remove, CONCURRENCY);
    return { kind: 'folder', path: `${to}/` };
  } catch (error) {
    return throwAt('/to', 'moving the folder')(error);
  }
}

/** The path of an object in a folder. `name`: the rest of its key. */
export const pathIn = (folder: MediaPath, name: string): MediaPath => `${folder}/${name}` as MediaPath;

/** Lists the objects of a folder, by the rest of their keys. Throws FILE_NOT_FOUND, and INVALID_REQUEST if there are too many. */
export async function objectsIn(bucket: Bucket, path: MediaPath): Promise<readonly string[]> {
  const names = await namesIn(bucket, path);
  if (names.length === 0) throw folderNotFound(path);
  if (names.length <= MAX_OBJECTS) return names;
  const message = `Folder "${path}" has more than ${MAX_OBJECTS} files, the most that an object store moves or keeps in one request.`;
  throw invalidRequest([{ field: '/from', code: 'TOO_MANY', message }]);
}

/** Like `objectsIn`, also of a missing folder, and of one with too many objects: then the list ends with the page that exceeds the maximum. */
async function namesIn({ client, location }: Bucket, path: MediaPath): Promise<readonly string[]> {
  const prefix = `${keyOf(location, path)}/`;
  const names: string[] = [];
  for await (const { Contents = [] } of listPages(client, { Bucket: location.bucket, Prefix: prefix })) {
    for (const { Key = '' } of Contents) {
      const { key } = decodeKey(Key);
      if (key === undefined)
        throw new Problem('STORAGE_FAULT', 'The folder has an object whose key is not UTF-8, which cannot be moved.');
      names.push(key.slice(prefix.length));
    }
    if (names.length > MAX_OBJECTS) break;
  }
  return names;
}

/** Throws FILE_EXISTS if a path has a file or is a folder. Throws NOT_A_FILE if it is below a file. */
async function requireFree(deps: MoveDeps, path: MediaPath): Promise<void> {
  const head = await headOfTarget(deps, path).catch((error: unknown) => {
    throw error instanceof TargetError && error.conflict === 'folder' ? folderExists(path) : error;
  });
  if (head !== undefined) throw folderExists(path);
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
