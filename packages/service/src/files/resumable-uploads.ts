import type { Caller } from '@telecine/contract/domain/client.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { checkRecords, type StoredFiles, type WithRoom } from '@telecine/contract/domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { BinEntry, Leases, ShareStore, UploadParts, UploadRecord, UploadStore } from './ports.ts';
import { type Precondition, toFileCheck } from './precondition.ts';
import { bodyTooLarge, countReplaced, fileTooLarge } from './upload.ts';
import { type UploadLock, uploadLocks } from './upload-locks.ts';

export type ResumableUpload = Pick<UploadRecord, 'uploadId' | 'path' | 'sizeBytes' | 'offsetBytes' | 'metadata'>;

interface CreateUploadRequest {
  readonly uploadId: string;
  /** The path as the client sent it. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly metadata: string;
  /** The conditions about an existing file. They are checked now, and again when the new file is published. */
  readonly precondition: Precondition;
  /** Whether to keep a file that the upload replaces in the bin. */
  readonly keepsReplaced?: boolean;
}

/** The link by which somebody uploads into a folder of the client that shares it. */
export interface FolderLink {
  readonly shareId: string;
  /** Ends with a slash. */
  readonly folder: string;
  /** The maximum size of a file in bytes. */
  readonly maxBytes: number;
}

export interface Uploader {
  /** Whose media root gets the file. */
  readonly caller: Caller;
  /** undefined: the caller itself uploads. */
  readonly link?: FolderLink | undefined;
}

export interface UploadContext extends Uploader {
  readonly lock: UploadLock;
  /**
   * Called when the file is published at its path. May be called again after a crash. `replaced`: the entry of the file
   * that it has replaced.
   */
  readonly onAppeared: (path: string, replaced?: BinEntry) => Promise<void>;
}

type UploadEvent = 'created' | 'finished' | 'removed' | 'expired';

export interface UploadDeps {
  readonly store: UploadStore;
  readonly parts: UploadParts;
  readonly leases: Leases;
  /** Counts the files that links take. */
  readonly shares: Pick<ShareStore, 'takeFile' | 'addUses'>;
  readonly stored: Pick<StoredFiles, 'records' | 'add'>;
  readonly withRoom: WithRoom;
  /** How long replaced files are kept in the bin. 0: they are not. */
  readonly keepSeconds: number;
  /** The maximum size of a file in bytes. */
  readonly maxBytes: number;
  /** An upload that is not used for this time expires. */
  readonly expirySeconds: number;
  /** Counts events for the metrics. */
  readonly onEvent: (event: UploadEvent) => void;
  readonly log: { warn(details: object, message: string): void };
}

/**
 * How long a record lasts while its upload is being created. This is short, because the record counts with the whole
 * size of the file, and after a crash the client does not know of the upload. If the creation takes longer, its lock
 * protects it from the sweep.
 */
const CREATION_SECONDS = 60;

/** How long a record lasts after its upload is published. A client that did not get the reply can still ask for it. */
const PUBLISHED_SECONDS = 600;

/** The maximum number of unfinished uploads of a client. Each takes a record and disk space. */
const MAX_OPEN = 1000;

/** The same beside uploads by links, which leave the client some of its own. */
const MAX_OPEN_WITH_LINKS = 800;

/** The maximum number of records of published uploads of a client. The oldest are removed first. */
const MAX_PUBLISHED = 1000;

/**
 * The maximum length of `Upload-Metadata`, which each record stores, in characters: the longest path in Base64, and 2
 * KiB more.
 */
const MAX_METADATA = 6144;

export type UploadOperations = ReturnType<typeof uploadOperations>;

/**
 * Creates the operations on resumable uploads. For uploads of other clients, and by a link for those that it did not begin, they throw
 * UPLOAD_NOT_FOUND.
 */
export function uploadOperations(deps: UploadDeps) {
  const { store, parts, maxBytes, expirySeconds, onEvent } = deps;

  const claim = async (context: UploadContext, uploadId: string): Promise<UploadRecord> =>
    ownOf(context, await store.claim(context.caller.clientId, uploadId, context.lock.holder, expirySeconds));

  const find = async (uploader: Uploader, uploadId: string): Promise<UploadRecord> =>
    ownOf(uploader, await store.find(uploader.caller.clientId, uploadId));

  /**
   * Creates an upload. Publishes an empty file at once. Throws BODY_TOO_LARGE, STORAGE_EXCEEDED, PRECONDITION_FAILED,
   * NO_SPACE, TOO_MANY_UPLOADS, NOT_A_FILE, INVALID_REQUEST.
   */
  async function create(
    context: UploadContext,
    { uploadId, path: text, sizeBytes, metadata, precondition, keepsReplaced = false }: CreateUploadRequest,
  ): Promise<ResumableUpload> {
    const { caller, lock, link } = context;
    if (sizeBytes > maxBytes) throw fileTooLarge(maxBytes);
    if (link !== undefined && sizeBytes > link.maxBytes) throw bodyTooLarge(link.maxBytes, 'of this link');
    if (metadata.length > MAX_METADATA) throw metadataTooLong(metadata.length);
    const path = parseFilePath(link === undefined ? text : pathBelow(link.folder, text), caller.root, '/metadata/path');
    const shareId = link?.shareId;
    await checkRecords(deps.stored, caller);
    if (shareId !== undefined && !(await deps.shares.takeFile(shareId))) throw linkFull();
    const upload: UploadRecord = {
      ...{ uploadId, clientId: caller.clientId, path, sizeBytes, metadata },
      offsetBytes: 0,
      precondition: writeTerms({ ...precondition, keepsReplaced, shareId }),
      data: '',
      isPublished: false,
    };
    // Add the record before calling `begin`, so that a sweep after a crash finds what `begin` has created.
    const { storage } = caller.policy;
    const quota = storage === undefined ? {} : { maxStoredBytes: storage };
    const maxOpen = link === undefined ? MAX_OPEN : MAX_OPEN_WITH_LINKS;
    const limits = { maxOpen, maxPublished: MAX_PUBLISHED, ...quota };
    let data = '';
    try {
      const add = (): Promise<boolean> => store.add(upload, CREATION_SECONDS, limits);
      // Whoever has a link cannot empty the bin of the client: it gets what room there is.
      if (!(await (link === undefined ? deps.withRoom(caller, add) : add()))) throw tooManyOpen();
      const claimed = await store.claim(caller.clientId, uploadId, lock.holder, CREATION_SECONDS);
      data = await parts.begin({ ...upload, root: caller.root }, toFileCheck(precondition));
      if (claimed === undefined || !(await store.save(uploadId, lock.holder, { data }, expirySeconds)))
        throw lostLock();
      onEvent('created');
      if (sizeBytes === 0) await finish(context, { ...upload, data });
      return upload;
    } catch (error) {
      // Ignore errors: the record expires.
      await parts
        .remove({ uploadId, data })
        .then(() => store.remove(uploadId))
        .then(() => giveBack(deps, upload))
        .catch(() => undefined);
      throw error;
    }
  }

  /**
   * Appends bytes, and publishes the file after the last one. Returns the new offset. If `bytes` throws, what has
   * arrived is stored. Throws NO_SPACE, STORAGE_FAULT, PRECONDITION_FAILED.
   */
  async function append(context: UploadContext, uploadId: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
    const { caller, lock } = context;
    const upload = await claim(context, uploadId);
    if (upload.isPublished) return upload.offsetBytes;
    const offsetBytes = await parts.append({ ...upload, root: caller.root }, whileHeld(lock, bytes), async (saved) => {
      if (!(await store.save(uploadId, lock.holder, { offsetBytes: saved }, expirySeconds))) throw lostLock();
    });
    if (offsetBytes === upload.sizeBytes) await finish(context, { ...upload, offsetBytes });
    return offsetBytes;
  }

  /** Publishes the file of a complete upload, and removes the bytes of the upload. Can be repeated after a crash. */
  async function finish({ caller, lock: { holder }, onAppeared }: UploadContext, upload: UploadRecord): Promise<void> {
    const { clientId, root } = caller;
    const { uploadId, path } = upload;
    let { data } = upload;
    const { keepsReplaced = false, shareId, ...conditions } = readTerms(upload.precondition);
    const save = async (prepared: string): Promise<void> => {
      data = prepared;
      if (!(await store.save(uploadId, holder, { data }, expirySeconds))) throw lostLock();
    };
    const keeps = keepsReplaced && deps.keepSeconds > 0;
    const published = await parts.publish({ ...upload, root }, toFileCheck(conditions), save, keeps);
    await onAppeared(path, published.replaced);
    // After a crash before this save, the upload counts instead of the file until its record expires.
    const seconds = Math.min(PUBLISHED_SECONDS, expirySeconds);
    const precondition = writeTerms({ shareId });
    if (!(await store.save(uploadId, holder, { isPublished: true, precondition }, seconds))) throw lostLock();
    await countReplaced(deps.stored, clientId, published);
    onEvent('finished');
    try {
      await parts.remove({ uploadId, data });
      await store.save(uploadId, holder, { data: '' }, seconds);
    } catch (err) {
      // Only log this: a sweep removes the bytes when the record expires.
      deps.log.warn({ err, uploadId }, 'parts of a finished upload not removed');
    }
  }

  /**
   * Finds an upload. If it is complete but not published, because of a crash or a condition that was not met, publishes
   * it first. Throws PRECONDITION_FAILED.
   */
  async function settle(context: UploadContext, uploadId: string): Promise<ResumableUpload> {
    const found = await find(context, uploadId);
    if (found.isPublished || found.offsetBytes < found.sizeBytes) return found;
    const upload = await claim(context, uploadId);
    await finish(context, upload);
    return upload;
  }

  /** Removes the record and the bytes of an upload, but not a published file. */
  async function remove(context: UploadContext, uploadId: string): Promise<void> {
    await removeUpload(deps, await claim(context, uploadId));
    onEvent('removed');
  }

  return { lock: uploadLocks(deps.leases), maxBytes, expirySeconds, find, create, settle, append, remove };
}

/** Returns an upload of the client. Throws UPLOAD_NOT_FOUND if a crash prevented its creation, or another link began it. */
function ownOf({ link }: Uploader, upload: UploadRecord | undefined): UploadRecord {
  if (upload === undefined || (upload.data === '' && !upload.isPublished)) throw uploadNotFound();
  if (link !== undefined && readTerms(upload.precondition).shareId !== link.shareId) throw uploadNotFound();
  return upload;
}

/**
 * Passes `bytes` on for as long as the request has the lock. If the process was paused, another request may have the
 * lock.
 */
async function* whileHeld(lock: UploadLock, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    lock.assertHeld();
    yield chunk;
  }
}

/**
 * Removes the bytes and the record of an upload. The caller must have the lock. Resolves to false if the record was
 * already removed.
 */
export async function removeUpload(
  deps: Pick<UploadDeps, 'store' | 'parts' | 'shares'>,
  upload: UploadRecord,
): Promise<boolean> {
  await deps.parts.remove(upload);
  const isRemoved = await deps.store.remove(upload.uploadId);
  if (isRemoved && !upload.isPublished) await giveBack(deps, upload);
  return isRemoved;
}

/** If an upload of a link stored no file, its link may take another file. */
async function giveBack({ shares }: Pick<UploadDeps, 'shares'>, { precondition }: UploadRecord): Promise<void> {
  const { shareId } = readTerms(precondition);
  if (shareId !== undefined) await shares.addUses(new Map([[shareId, -1]]));
}

/** The path of a file that a link takes. Parses the name alone, so that it cannot leave the folder. */
function pathBelow(folder: string, text: string): string {
  const name = parseMediaPath(text, '/');
  if (typeof name === 'string') return folder + name;
  throw invalidRequest([{ field: '/metadata/path', ...name }]);
}

/** What a new upload has to keep: its link, its conditions about the file that it replaces, and whether it keeps that file. */
interface Terms extends Precondition {
  readonly keepsReplaced?: boolean;
  readonly shareId?: string | undefined;
}

/** Writes the terms of an upload as JSON, without If-Modified-Since, which does not apply to uploads. */
const writeTerms = ({ ifModifiedSince: _, keepsReplaced = false, ...terms }: Terms): string =>
  JSON.stringify({ ...terms, ...(keepsReplaced && { keepsReplaced }) });

function readTerms(text: string): Terms {
  const { ifUnmodifiedSince, ...tags } = JSON.parse(text) as Omit<Terms, 'ifModifiedSince' | 'ifUnmodifiedSince'> & {
    readonly ifUnmodifiedSince?: string;
  };
  return { ...tags, ...(ifUnmodifiedSince !== undefined && { ifUnmodifiedSince: new Date(ifUnmodifiedSince) }) };
}

const uploadNotFound = (): Problem =>
  new Problem(
    'UPLOAD_NOT_FOUND',
    'This client has no such upload: it was deleted, or it expired unused. Create another upload.',
  );

const tooManyOpen = (): Problem =>
  new Problem('TOO_MANY_UPLOADS', `${MAX_OPEN} uploads of this client are unfinished. Finish or delete some.`, {
    retryAfterSeconds: 60,
  });

const linkFull = (): Problem =>
  new Problem('LINK_USED', 'This link takes no more files: it has as many as it allows. Ask for a new one.');

/** The problem for a request that lost its lock because the process was paused for too long. */
const lostLock = (): Problem =>
  new Problem('UPLOAD_LOCKED', 'Another request has taken over this upload. Read its offset and resume.', {
    retryAfterSeconds: 1,
  });

const metadataTooLong = (length: number): Problem =>
  invalidRequest([
    {
      field: '/metadata',
      code: 'TOO_LONG',
      message: `Upload-Metadata has ${length} characters. At most ${MAX_METADATA} are allowed.`,
    },
  ]);
