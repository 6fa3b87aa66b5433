import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { parseStoredPath } from '@telecine/contract/domain/bucket-path.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { MediaRoot } from '@telecine/contract/domain/media-root.ts';
import { NEVER } from '@telecine/contract/domain/steps.ts';
import {
  FolderUnreachable,
  type FoundFile,
  type FoundNow,
  type ScanKind,
  type ScanMemory,
  type ScanOptions,
  type WatchedFolder,
  type WatchSource,
} from '../../watches/ports.ts';
import { ScanClock, ScanPages } from '../scan-pages.ts';
import { hashText, UNKNOWN, VersionTable } from '../version-table.ts';
import { isWanted, isWatched, shownName } from '../watch-memory.ts';
import { type Bucket, type Buckets, headOf } from './bucket.ts';
import { BucketMemory } from './bucket-memory.ts';
import { s3ErrorKind } from './errors.ts';
import { type ListedObject, listObjects, type ObjectPage } from './list-objects.ts';
import { decodeKey } from './list-pages.ts';
import { isKeyTooLong, keyOf } from './location.ts';
import { fingerprintOf, OUTPUT_METADATA } from './object-facts.ts';

/** How many single objects a scan looks at. Other marks stay for the next one; a list finds all. */
const MOST_HEADS = 50;

/** The processor time of a request and its reply. It cannot be measured beside other work. */
const HEAD_MS = 1;
const LIST_MS = 6;

/** The most objects that one memory has: about 20 MB. Those above it are yielded by each list. */
const MOST_OBJECTS = 500_000;

/** Finds files of watched folders in buckets: those of the service, and those that requests name (`s3://bucket/prefix/`). */
export function bucketSource({ ofPath }: Pick<Buckets, 'ofPath'>): WatchSource {
  async function* scan(root: MediaRoot, where: WatchedFolder, options: ScanOptions) {
    const { kind, again = [], waitForTurn, signal } = options;
    const memory = memoryOf(options.memory);
    const clock = new ScanClock(signal);
    clock.isMeasured = true;
    const marks = memory.takeMarks(kind === 'marked' ? MOST_HEADS : undefined);
    let isComplete = false;
    try {
      signal.throwIfAborted();
      const bucket = bucketOf(root, where.folder);
      const isReadable = (path: MediaPath): boolean => isSameBucket(bucket, ofPath(root, path, 'read'));
      const wanted = new Set<string>([...again, ...marks]);
      const list: ListScan = {
        ...{ bucket, where, memory, kind, wanted, clock, isReadable, waitForTurn },
        unusable: 0,
      };
      if (kind === 'marked') yield* headScan(list);
      else yield* listScan(list);
      memory.place = placeOf(bucket);
      isComplete = true;
    } catch (error) {
      signal.throwIfAborted();
      throw toUnreachable(error);
    } finally {
      if (!isComplete) for (const path of marks) memory.mark(path);
      memory.cost = clock.end();
    }
  }

  const bucketOf = (root: MediaRoot, folder: string): Bucket => {
    const bucket = ofPath(root, folder as MediaPath, 'read');
    if (bucket === undefined) throw new FolderUnreachable('denied');
    return bucket;
  };

  return {
    isMetered: true,
    newMemory: () => new BucketMemory(),
    scan,
    find: async (root, path, signal = NEVER) => {
      try {
        return await findFile(bucketOf(root, path), path, signal);
      } catch (error) {
        signal.throwIfAborted();
        throw toUnreachable(error);
      }
    },
    reach: async (root, folder, signal = NEVER) => {
      try {
        const bucket = bucketOf(root, folder);
        const { client, location } = bucket;
        const request = { Bucket: location.bucket, Prefix: keyOf(location, folder as MediaPath), MaxKeys: 1 };
        await client.send(new ListObjectsV2Command(request), { abortSignal: signal });
        return placeOf(bucket);
      } catch (error) {
        signal.throwIfAborted();
        throw toUnreachable(error);
      }
    },
  };
}

/** See `WatchSource.reach`: a bucket is always the same. */
const placeOf = ({ location }: Bucket): string => location.address ?? '';

interface ListScan {
  readonly bucket: Bucket;
  readonly where: WatchedFolder;
  readonly memory: BucketMemory;
  readonly kind: ScanKind;
  /** Paths to look at and to yield in any case. */
  readonly wanted: ReadonlySet<string>;
  readonly clock: ScanClock;
  readonly waitForTurn: ScanOptions['waitForTurn'];
  /** The objects with keys that no request can have. */
  unusable: number;
  /** Whether the client may read the object: another bucket of the operator can be below the folder. */
  isReadable(path: MediaPath): boolean;
}

type Pages = AsyncGenerator<readonly FoundFile[], void>;

/** Looks at single objects. */
async function* headScan({ bucket, where, memory, wanted, clock, isReadable }: ListScan): Pages {
  const pages = new ScanPages(clock);
  for (const [index, text] of [...wanted].entries()) {
    const path = parsePath(text);
    if (path === undefined || !isWatched(where, path) || !isReadable(path)) continue;
    await clock.step();
    clock.pause();
    const file = index < 2 * MOST_HEADS ? await findFile(bucket, path, clock.signal) : undefined;
    clock.resume();
    clock.add(HEAD_MS);
    const [name, version] = hashesOf(memory, keyOf(bucket.location, path), file?.version ?? '');
    if (file === undefined) setVersion(memory.objects, name, UNKNOWN);
    else pages.add(file, () => setVersion(memory.objects, name, version));
    if (pages.isFull) yield* pages.flush();
  }
  yield* pages.flush();
}

/** Lists the folder, and yields what is new or changed; all, if the scan is full. */
async function* listScan(list: ListScan): Pages {
  const { bucket, where, memory, clock, waitForTurn } = list;
  const { location, client } = bucket;
  memory.isOverflowed = false;
  const pages = new ScanPages(clock);
  const prefix = keyOf(location, where.folder as MediaPath);
  const objects = new VersionTable();
  const request = { Bucket: location.bucket, Prefix: prefix, ...(!where.subfolders && { Delimiter: '/' }) };
  clock.pause();
  let hasTurn = false;
  for await (const page of listObjects(client, request, clock.signal)) {
    if (!hasTurn) await waitForTurn?.();
    hasTurn = true;
    clock.resume();
    clock.add(LIST_MS);
    for (const object of page.objects) {
      await clock.step();
      addObject(list, pages, page, object, objects);
      if (pages.isFull) yield* pages.flush();
    }
    clock.pause();
  }
  clock.resume();
  pages.after(() => {
    memory.objects = objects;
    memory.unusable = list.unusable;
  });
  yield* pages.flush();
}

function addObject(
  list: ListScan,
  pages: ScanPages,
  page: ObjectPage,
  object: ListedObject,
  objects: VersionTable,
): void {
  const { bucket, where, memory, kind, wanted, isReadable } = list;
  const { location } = bucket;
  const noteUnusable = (text: string): void => {
    const name = text.slice(text.lastIndexOf('/') + 1);
    // A key with a slash at its end stands for a folder.
    if (name === '' || !isWanted(name, where)) return;
    list.unusable += 1;
    memory.unusableName = shownName(name);
  };
  const versionText = fingerprintOf({ ETag: object.etag, sizeBytes: object.sizeBytes });
  const isEncoded = page.isEncoded && /[%+]/.test(object.key);
  const key = isEncoded ? decodeKey(object.key).key : object.key;
  if (key === undefined) {
    noteUnusable(object.key);
    return;
  }
  const [name, version] = hashesOf(memory, key, versionText);
  const isKnown = memory.objects.get(name) === version;
  // Nearly all objects of an idle watch end here, before their paths are checked.
  if (isKnown && kind !== 'full' && wanted.size === 0) {
    setVersion(objects, name, version);
    return;
  }
  const path = parsePath(`${location.address ?? ''}${key.slice(location.prefix.length)}`);
  if (path === undefined) {
    noteUnusable(key);
    return;
  }
  if (!isWatched(where, path) || !isReadable(path)) return;
  if (isKnown && kind !== 'full' && !wanted.has(path)) setVersion(objects, name, version);
  else
    pages.add(toFound(path, object.sizeBytes, versionText), () => {
      setVersion(objects, name, version);
      // If the scan breaks off, its own table is dropped, and the file would be reported again.
      setVersion(memory.objects, name, version);
    });
}

function setVersion(objects: VersionTable, name: number, version: number): void {
  if (objects.size < MOST_OBJECTS || objects.get(name) !== undefined) objects.set(name, version);
}

const hashesOf = ({ seed }: BucketMemory, key: string, version: string): readonly [number, number] => [
  hashText(key, seed),
  hashText(version, seed),
];

/** Returns the path if a client can send it. */
const parsePath = (text: string): MediaPath | undefined =>
  parseStoredPath(text) === text ? (text as MediaPath) : undefined;

async function findFile(bucket: Bucket, path: MediaPath, signal: AbortSignal): Promise<FoundNow | undefined> {
  if (isKeyTooLong(bucket.location, path)) return undefined;
  const head = await headOf(bucket, path, signal);
  if (head === undefined) return undefined;
  const sizeBytes = head.ContentLength ?? 0;
  const fingerprint = fingerprintOf({ ETag: head.ETag, sizeBytes });
  const output = head.Metadata?.[OUTPUT_METADATA];
  return {
    ...toFound(path, sizeBytes, fingerprint),
    fingerprint,
    modifiedMs: head.LastModified?.getTime() ?? 0,
    ...(output !== undefined && { outputFingerprint: output }),
  };
}

/** An object is whole as soon as it exists. But some programs that show a bucket as a disk create it empty, before they write it. */
const toFound = (path: MediaPath, bytes: number, version: string): FoundFile => ({
  ...{ path, bytes, version },
  isWhole: bytes > 0,
});

function isSameBucket(a: Bucket, b: Bucket | undefined): boolean {
  return b !== undefined && a.client === b.client && a.location.address === b.location.address;
}

function memoryOf(memory: ScanMemory): BucketMemory {
  if (memory instanceof BucketMemory) return memory;
  throw new Error('Not a memory of the source for buckets.');
}

/** Converts an error of the object store. Returns any other error unchanged, because it is a bug. */
function toUnreachable(error: unknown): unknown {
  if (error instanceof FolderUnreachable) return error;
  const kind = s3ErrorKind(error);
  if (kind === undefined) return error;
  return new FolderUnreachable(kind === 'rejected' ? 'denied' : 'down', error);
}
