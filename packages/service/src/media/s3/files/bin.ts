import { HeadObjectCommand } from '@aws-sdk/client-s3';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import type { FileFacts } from '../../../files/ports.ts';
import { fileExists, fileNotFound, notAFile, notInBin } from '../../file-problems.ts';
import { all } from '../all.ts';
import { headOf, isFolder as isFolderAt } from '../bucket.ts';
import { ifFound } from '../errors.ts';
import { keyOf, type S3Location } from '../location.ts';
import { factsOf } from '../object-facts.ts';
import { headOfTarget } from '../target.ts';
import { copyObject } from './copy-object.ts';
import {
  CONCURRENCY,
  deleteKey,
  exclusiveBoth,
  keysBelow,
  type MoveDeps,
  moveKeys,
  requireFree,
  throwAt,
} from './move.ts';

/** The prefix of the keys of an entry. It is reserved, so no request can name them, and no list shows them. */
const prefixOf = ({ prefix }: S3Location, entryId: string): string => `${prefix}${RESERVED_PREFIX}-bin/${entryId}/`;

/** The key of a deleted file. A deleted folder has this key with a slash as its prefix. */
const contentOf = (location: S3Location, entryId: string): string => `${prefixOf(location, entryId)}content`;

/** Copies a file or folder into the bin, and deletes the originals; see `FileStore.keepInBin`. */
export async function keepInBin(deps: MoveDeps, path: MediaPath, entryId: string, isFolder: boolean): Promise<void> {
  const { location } = deps;
  const [source, content] = [keyOf(location, path), contentOf(location, entryId)];
  try {
    if (isFolder) return await moveKeys(deps, { path, prefix: `${source}/` }, `${content}/`, async () => {});
    await exclusiveBoth(deps, source, content, async () => {
      const head = await headOf(deps, path);
      if (head === undefined) throw (await isFolderAt(deps, path)) ? notAFile(path) : fileNotFound(path);
      await copyObject(deps, source, content, head);
      await deleteKey(deps, source);
    });
  } catch (error) {
    throwAt('/path', 'moving the file to the bin')(error);
  }
}

/** Copies an entry of the bin to a free path, and deletes it from the bin; see `FileStore.restoreFromBin`. */
export async function restoreFromBin(
  deps: MoveDeps,
  entryId: string,
  to: MediaPath,
  isFolder: boolean,
): Promise<FileFacts | undefined> {
  const { client, location } = deps;
  const [content, target] = [contentOf(location, entryId), keyOf(location, to)];
  try {
    if (isFolder) {
      if ((await keysBelow(deps, `${content}/`)).length === 0) throw notInBin();
      await moveKeys(deps, { path: to, prefix: `${content}/` }, `${target}/`, () => requireFree(deps, to));
      return undefined;
    }
    return await exclusiveBoth(deps, content, target, async () => {
      const head = await ifFound(client.send(new HeadObjectCommand({ Bucket: location.bucket, Key: content })));
      if (head === undefined) throw notInBin();
      if ((await headOfTarget(deps, to)) !== undefined) throw fileExists(to);
      await copyObject(deps, content, target, head);
      const copy = await headOf(deps, to);
      await deleteKey(deps, content);
      return factsOf(to, { ...(copy ?? head), sizeBytes: head.ContentLength });
    });
  } catch (error) {
    return throwAt('/to', 'restoring the file')(error);
  }
}

/** Deletes the objects of an entry of the bin; see `FileStore.purgeFromBin`. */
export async function purgeFromBin(deps: MoveDeps, entryId: string): Promise<void> {
  try {
    for (;;) {
      const keys = await keysBelow(deps, prefixOf(deps.location, entryId));
      if (keys.length === 0) return;
      await all(keys, (key) => deleteKey(deps, key), CONCURRENCY);
    }
  } catch (error) {
    throwAt('/path', 'emptying the bin')(error);
  }
}
