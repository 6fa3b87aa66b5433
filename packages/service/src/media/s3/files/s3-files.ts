import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandInput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import type {
  BinEntry,
  FileEntry,
  FileFacts,
  FileReply,
  FileStore,
  FileTree,
  FolderQuery,
  OpenFile,
} from '../../../files/ports.ts';
import { fileNotFound, folderNotEmpty, folderNotFound, noBin, notAFile } from '../../file-problems.ts';
import { type Bucket, folderBelow, headOf, isFolder, pathBelow } from '../bucket.ts';
import { s3ErrorKind } from '../errors.ts';
import type { KeyLocks } from '../key-locks.ts';
import { LAST_CHARACTER, listPages, MAX_KEYS } from '../list-pages.ts';
import { isKeyTooLong, keyOf, rootLocation, type S3Location } from '../location.ts';
import { factsOf, isOutputObject } from '../object-facts.ts';
import { fileProblem, fileReplaced } from '../s3-failures.ts';
import { binOf, entryOf, keepFolder, listBin, pathInBin, purgeFromBin, restoreFromBin, walk } from './bin.ts';
import type { CopyDeps } from './copy-object.ts';
import { createFolder, moveFile, moveFolder, removeObject, throwAt } from './move.ts';
import { searchObjects } from './search.ts';

export interface S3FilesOptions extends Omit<CopyDeps, 'location'> {
  readonly locks: KeyLocks;
  /** Signs URLs with the address by which clients reach the object store. undefined: clients cannot reach it. */
  readonly publicClient?: S3Client;
}

interface S3Files extends S3FilesOptions, Bucket {}

export function s3Files(options: S3FilesOptions): FileStore {
  const filesOf = (root: MediaRoot): S3Files => ({ ...options, location: rootLocation(root) });
  return {
    open: (root, path) => openObject(filesOf(root), path),
    remove: (root, path, options = {}) => remove(filesOf(root), path, options),
    move: (root, from, to, options) => {
      const files = filesOf(root);
      return options.isFolder ? moveFolder(files, from, to) : moveFile(files, from, to, options);
    },
    createFolder: (root, path) => createFolder(filesOf(root), path),
    binOf: (root) => binOf(filesOf(root)),
    listBin: (root) => listBin(filesOf(root)),
    pathInBin: (_root, entryId) => pathInBin(entryId),
    restoreFromBin: (root, entryId, to) => restoreFromBin(filesOf(root), entryId, to),
    purgeFromBin: (root, entryId) => purgeFromBin(filesOf(root), entryId),
    freeBytes: async () => Number.POSITIVE_INFINITY,
    walk: (root, folder, signal) => walk(filesOf(root), folder, signal),
    list: (root, query) => listFolder(filesOf(root), query),
    search: (root, query, signal) => searchObjects(filesOf(root), query, signal),
    listTree: (root, folder, most, signal) => listObjectTree(filesOf(root), folder, most, signal),
  };
}

/** Lists one page of a folder, sorted by the bytes of the keys. Leaves out keys that no client can send. */
async function listFolder(
  { client, location }: S3Files,
  { folder, nameStart, after, limit }: FolderQuery,
): ReturnType<FileStore['list']> {
  const base = location.prefix + folder;
  const startAfter = after?.endsWith('/') ? `${base}${after}${LAST_CHARACTER}` : after && `${base}${after}`;
  const entries: FileEntry[] = [];
  try {
    const request = {
      Bucket: location.bucket,
      Prefix: `${base}${nameStart}`,
      Delimiter: '/',
      // Request one entry more than the limit, to find out whether there is a next page.
      MaxKeys: Math.min(MAX_KEYS, limit + 1),
      StartAfter: startAfter,
    };
    for await (const page of listPages(client, request)) {
      entries.push(...entriesOf(location, page).filter(({ path }) => path !== `${folder}${after}`));
      if (entries.length > limit) break;
    }
  } catch (error) {
    throw fileProblem('listing the folder', error);
  }
  return { entries: entries.slice(0, limit), more: entries.length > limit };
}

/** Returns the files and folders of one page of the list, in the order of their keys. */
function entriesOf({ prefix }: S3Location, page: ListObjectsV2CommandOutput): readonly FileEntry[] {
  const files = (page.Contents ?? []).flatMap((object): FileEntry[] => {
    const path = pathBelow(prefix, object.Key);
    return path === undefined ? [] : [{ kind: 'file', ...factsOf(path, { ...object, sizeBytes: object.Size }) }];
  });
  const folders = (page.CommonPrefixes ?? []).flatMap(({ Prefix }): FileEntry[] => {
    const path = folderBelow(prefix, Prefix);
    return path === undefined ? [] : [{ kind: 'folder', path: `${path}/` }];
  });
  return [...files, ...folders].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
}

/** Lists all objects of a folder; see `FileStore.listTree`. One list contains those of the folders below it too. */
export async function listObjectTree(
  { client, location }: Bucket,
  folder: MediaPath,
  most: number,
  signal: AbortSignal,
): Promise<FileTree | undefined> {
  const inside = (folder === '' ? '' : `${folder}/`) as MediaPath;
  const { address = '' } = location;
  if (isKeyTooLong(location, inside)) throw folderNotFound(folder);
  const files: FileFacts[] = [];
  let count = 0;
  try {
    const request = {
      Bucket: location.bucket,
      Prefix: keyOf(location, inside),
      MaxKeys: Math.min(MAX_KEYS, most + 1),
    };
    for await (const { Contents = [] } of listPages(client, request, signal)) {
      count += Contents.length;
      if (count > most) return undefined;
      for (const object of Contents) {
        const path = pathBelow(location.prefix, object.Key);
        if (path !== undefined)
          files.push(factsOf(`${address}${path}` as MediaPath, { ...object, sizeBytes: object.Size }));
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw fileProblem('listing the folder', error);
  }
  if (count === 0) throw folderNotFound(folder);
  return { files, entries: count };
}

/** How long a direct URL is valid, even if the client is revoked or the file is replaced meanwhile. */
const DIRECT_SECONDS = 300;

/** Opens the file at a client's path. Throws FILE_NOT_FOUND, NOT_A_FILE, STORAGE_FAULT, UNAVAILABLE. */
export async function openObject(files: Bucket & Pick<S3Files, 'publicClient'>, path: MediaPath): Promise<OpenFile> {
  const { client, publicClient, location } = files;
  try {
    const head = await headOf(files, path);
    if (head === undefined) throw (await isFolder(files, path)) ? notAFile(path) : fileNotFound(path);
    const object = { Bucket: location.bucket, Key: keyOf(location, path) };
    const version: ObjectVersion = { ...object, IfMatch: head.ETag };
    return {
      ...factsOf(path, { ...head, sizeBytes: head.ContentLength }),
      isOutput: (fingerprint) => isOutputObject(head, fingerprint),
      ...(publicClient !== undefined && {
        directUrl: async (reply: FileReply) => {
          const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner');
          const command = new GetObjectCommand({
            ...object,
            ResponseContentType: reply.contentType,
            ResponseContentDisposition: reply.contentDisposition,
            ResponseCacheControl: 'private, no-cache',
          });
          return getSignedUrl(publicClient, command, { expiresIn: DIRECT_SECONDS });
        },
      }),
      read: (first, last) => {
        const closed = new AbortController();
        const stream = Readable.from(readObject(client, version, first, last, closed.signal), { objectMode: false });
        return stream.once('close', () => closed.abort());
      },
      // Nothing to close: only `read` opens a connection.
      close: async () => {},
    };
  } catch (error) {
    throw fileProblem('reading the file', error);
  }
}

/** One version of an object. A request with these fields fails if the object has changed. */
type ObjectVersion = Pick<GetObjectCommandInput, 'Bucket' | 'Key' | 'IfMatch'>;

/** How many replies in a row may break off before their first byte. */
const MAX_EMPTY_REPLIES = 3;

/**
 * Reads the bytes from `first` to `last`. If a reply breaks off, requests the rest. Throws UNAVAILABLE if the object
 * was replaced.
 */
async function* readObject(
  client: S3Client,
  version: ObjectVersion,
  first: number,
  last: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let position = first;
  for (let emptyReplies = 0; position <= last; ) {
    const start = position;
    try {
      for await (const chunk of await requestRange(client, version, position, last, signal)) {
        if (position + chunk.length > last + 1) throw new Error('The object store sent more bytes than the range has.');
        position += chunk.length;
        yield chunk;
      }
    } catch (error) {
      const kind = s3ErrorKind(error);
      if (kind === 'precondition' || kind === 'missing' || kind === 'range') throw fileReplaced();
      if (kind !== 'unavailable') throw fileProblem('reading the file', error);
      emptyReplies = position === start ? emptyReplies + 1 : 0;
      if (emptyReplies === MAX_EMPTY_REPLIES) throw fileProblem('reading the file', error);
      continue;
    }
    if (position <= last) throw new Error('The object store sent fewer bytes than the range has.');
  }
}

/**
 * Requests a range. Checks that the reply contains this range, because some proxies ignore ranges and send the whole
 * object.
 */
async function requestRange(
  client: S3Client,
  version: ObjectVersion,
  first: number,
  last: number,
  signal: AbortSignal,
): Promise<AsyncIterable<Uint8Array>> {
  const command = new GetObjectCommand({ ...version, Range: `bytes=${first}-${last}` });
  const { Body, ContentRange } = await client.send(command, { abortSignal: signal });
  if (Body === undefined || !ContentRange?.startsWith(`bytes ${first}-${last}/`))
    throw new Error(`The object store sent the range ${ContentRange} instead of ${first}-${last}.`);
  return Body as AsyncIterable<Uint8Array>;
}

/** Deletes a file or folder; see `FileStore.remove`. */
async function remove(
  files: S3Files,
  path: MediaPath,
  { isFolder: isWhole = false, keep = false, check }: NonNullable<Parameters<FileStore['remove']>[2]>,
): Promise<BinEntry | undefined> {
  try {
    if (keep && (await binOf(files)) === 'none') throw noBin();
    if (isWhole) return await (keep ? keepFolder : removeMarker)(files, path);
    const head = await removeObject(files, path, check);
    return keep ? entryOf(path, head) : undefined;
  } catch (error) {
    return throwAt('/path', keep ? 'moving the file to the bin' : 'deleting the file')(error);
  }
}

/**
 * Deletes an empty folder. In a bucket, an empty folder is an object of another program, with the name of the folder
 * and a slash.
 */
async function removeMarker({ client, location }: S3Files, path: MediaPath): Promise<undefined> {
  const marker = `${keyOf(location, path)}/`;
  const list = new ListObjectsV2Command({ Bucket: location.bucket, Prefix: marker, MaxKeys: 2 });
  const { Contents = [] } = await client.send(list);
  if (Contents.length === 0) throw folderNotFound(path);
  if (Contents.length > 1 || Contents[0]?.Key !== marker) throw folderNotEmpty(path);
  await client.send(new DeleteObjectCommand({ Bucket: location.bucket, Key: marker }));
}
