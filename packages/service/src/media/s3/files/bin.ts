import type { HeadObjectCommandOutput } from '@aws-sdk/client-s3';
import { type MediaPath, RESERVED_PREFIX } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { BinRecord, FileCheck, FileEntry, FilesInBin, FolderSteps, ReplacedRecord } from '../../../files/ports.ts';
import { fileExists, fileNotFound, inOtherRoot, notAFile } from '../../file-problems.ts';
import { headOf, isFolder as isFolderAt } from '../bucket.ts';
import { s3ErrorKind, s3ErrorName } from '../errors.ts';
import { keyOf, type S3Location } from '../location.ts';
import { factsOf } from '../object-facts.ts';
import { runForAll } from '../run-for-all.ts';
import { headOfTarget } from '../target.ts';
import { type CopyDeps, copyObject, versionOf } from './copy-object.ts';
import {
  beforeCopies,
  CONCURRENCY,
  copyKeys,
  deleteKey,
  deleteVersion,
  exclusiveBoth,
  hasFailed,
  headOfKey,
  keysBelow,
  type MoveDeps,
  moveKeys,
  throwAt,
} from './move.ts';

/** The S3 engine's part of a `BinEntry` (`data`): the media root. */
type Data = Pick<S3Location, 'bucket' | 'prefix'>;

/** Returns the media root with the files of an entry. For entries of earlier versions: the one that the client has now. */
const rootOf = ({ location }: MoveDeps, data: string): Partial<Data> =>
  data === '' ? location : (JSON.parse(data) as Partial<Data>);

/** The prefix of the keys of an entry. It is reserved, so no request can name them, and no list shows them. */
const prefixOf = (prefix: string, entryId: string): string => `${prefix}${RESERVED_PREFIX}-bin/${entryId}/`;

/** The key of a deleted file. A deleted folder has this key with a slash as its prefix. */
const contentOf = ({ prefix }: S3Location, entryId: string): string => `${prefixOf(prefix, entryId)}content`;

/** Copies a file or folder into the bin, and deletes the originals; see `FileStore.keepInBin`. */
export async function keepInBin(
  deps: MoveDeps,
  path: MediaPath,
  { entryId, isFolder }: { readonly entryId: string; readonly isFolder: boolean },
  record: BinRecord,
  check?: FileCheck,
): Promise<void> {
  const { location } = deps;
  const { bucket, prefix } = location;
  const [source, content] = [keyOf(location, path), contentOf(location, entryId)];
  const add = (): Promise<void> => record.add(JSON.stringify({ bucket, prefix } satisfies Data));
  try {
    if (isFolder) {
      const steps = { before: add, undone: record.remove };
      return await moveKeys(deps, { path, prefix: `${source}/` }, `${content}/`, steps);
    }
    await exclusiveBoth(deps, source, content, async () => {
      const head = await headOf(deps, path);
      if (head === undefined) throw (await isFolderAt(deps, path)) ? notAFile(path) : fileNotFound(path);
      check?.(factsOf(path, { ...head, sizeBytes: head.ContentLength }));
      await add().catch(async (error: unknown) => {
        // The entry may have been added, although the reply was lost.
        await record.remove();
        throw error;
      });
      const made = await copyObject(deps, source, content, head).catch(async (error: unknown) => {
        if (hasFailed(error)) await record.remove();
        throw error;
      });
      await deleteVersion(deps, source, versionOf(head)).catch(async (error: unknown) => {
        // The original is still there, so the copy is not needed. If its removal fails, it stays until its entry expires.
        if (hasFailed(error) && (await deleteVersion(deps, content, made).catch(() => false))) await record.remove();
        throw error;
      });
    });
  } catch (error) {
    throwAt('/path', 'moving the file to the bin')(error);
  }
}

/** Deletes the copy of a file that was not replaced, and its record. */
type DropCopy = () => Promise<void>;

/**
 * Copies a file into the bin, so that a new object can replace it: its path is never without a file. `head`: the version to
 * copy. Nothing else may change the object meanwhile.
 */
async function copyIntoBin(
  deps: CopyDeps,
  path: MediaPath,
  head: HeadObjectCommandOutput,
  { entryIdOf, add, remove }: ReplacedRecord,
): Promise<DropCopy> {
  const { location } = deps;
  const { bucket, prefix } = location;
  const facts = factsOf(path, { ...head, sizeBytes: head.ContentLength });
  const content = contentOf(location, entryIdOf(facts));
  await add(JSON.stringify({ bucket, prefix } satisfies Data), facts).catch(async (error: unknown) => {
    // The entry may have been added, although the reply was lost.
    await remove();
    throw error;
  });
  const made = await copyObject(deps, keyOf(location, path), content, head).catch(async (error: unknown) => {
    if (hasFailed(error)) await remove();
    throw error;
  });
  return async () => {
    // If this fails, the copy stays until its entry expires.
    if (await deleteVersion(deps, content, made).catch(() => false)) await remove();
  };
}

/** Keeps a file that an upload is about to replace. Resolves to undefined if the object store is full: it is replaced all the same. */
export const keepReplaced = (...args: Parameters<typeof copyIntoBin>): Promise<DropCopy | undefined> =>
  copyIntoBin(...args).catch((error: unknown) => {
    const kind = s3ErrorKind(error);
    if (kind === 'full') return undefined;
    throw kind === 'rejected' ? unkeepable(error) : error;
  });

/** The problem for a file that cannot be copied: the service may not read it, or it is archived. */
const unkeepable = (cause: unknown): Problem =>
  new Problem(
    'STORAGE_FAULT',
    `The object store rejects the copy of the replaced file to the bin (${s3ErrorName(cause)}). Nothing was replaced. ` +
      `An upload without Keep-Replaced replaces the file, and keeps no copy.`,
    { cause },
  );

/**
 * Copies an entry of the bin to a free path; see `FileStore.restoreFromBin`. Deletes nothing: if a deletion broke off, half
 * a folder would be left in the bin, and look like all of it.
 */
export async function restoreFromBin(
  deps: MoveDeps,
  { entryId, path, data }: FilesInBin,
  to: MediaPath,
  replaced?: ReplacedRecord,
  steps: FolderSteps = {},
): Promise<FileEntry | undefined> {
  const { location } = deps;
  const [content, target] = [contentOf(location, entryId), keyOf(location, to)];
  const missing = (): undefined => {
    const { bucket, prefix } = rootOf(deps, data);
    if (bucket !== location.bucket || prefix !== location.prefix) throw inOtherRoot();
  };
  try {
    if (path.endsWith('/')) {
      if ((await keysBelow(deps, `${content}/`)).length === 0) return missing();
      await copyKeys(deps, { path: to, prefix: `${content}/` }, `${target}/`, {
        before: () => beforeCopies(deps, to, steps),
      });
      return { kind: 'folder', path: `${to}/` };
    }
    return await exclusiveBoth(deps, content, target, async () => {
      const head = await headOfKey(deps, content);
      if (head === undefined) return missing();
      const current = await headOfTarget(deps, to);
      if (current !== undefined && replaced === undefined) throw fileExists(to);
      const dropCopy = current && replaced && (await copyIntoBin(deps, to, current, replaced));
      await copyObject(deps, content, target, head).catch(async (error: unknown) => {
        if (hasFailed(error)) await dropCopy?.();
        throw error;
      });
      const copy = await headOf(deps, to);
      return { kind: 'file', ...factsOf(to, { ...(copy ?? head), sizeBytes: head.ContentLength }) };
    });
  } catch (error) {
    return throwAt('/to', 'restoring the file')(error);
  }
}

/** Deletes the objects of an entry of the bin; see `FileStore.purgeFromBin`. */
export async function purgeFromBin(deps: MoveDeps, { entryId, data }: FilesInBin): Promise<boolean> {
  const { bucket, prefix: earlier } = rootOf(deps, data);
  const isHere = bucket === deps.location.bucket;
  const prefixes = [deps.location.prefix, ...(isHere && earlier !== undefined ? [earlier] : [])];
  try {
    for (const prefix of new Set(prefixes)) await deleteBelow(deps, prefixOf(prefix, entryId));
    return isHere;
  } catch (error) {
    return throwAt('/path', 'emptying the bin')(error);
  }
}

async function deleteBelow(deps: MoveDeps, prefix: string): Promise<void> {
  for (let keys = await keysBelow(deps, prefix); keys.length > 0; keys = await keysBelow(deps, prefix))
    await runForAll(keys, (key) => deleteKey(deps, key), CONCURRENCY);
}
