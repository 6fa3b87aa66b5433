import { randomUUID } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { parseMediaPath } from '@telecine/contract/domain/media-path.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import {
  checkRecords,
  StorageExceeded,
  type StoredFiles,
  type WithRoom,
} from '@telecine/contract/domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { BinEntry, Leases, Published, UploadChange, UploadParts, UploadRecord, UploadStore } from './ports.ts';
import { type Precondition, toFileCheck } from './precondition.ts';
import { lockUpload, type UploadLock, uploadLocked } from './upload-locks.ts';

interface NewUpload {
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

/** A file that one request brings. */
export interface WholeFile extends Omit<NewUpload, 'uploadId' | 'sizeBytes' | 'metadata'> {
  /** undefined: the file ends with the body. */
  readonly sizeBytes?: number;
  /** The body, which is read only after the conditions and the limits are checked. */
  readonly bytes: AsyncIterable<Uint8Array>;
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
  readonly lock: Pick<UploadLock, 'holder'>;
  /** Whether one request brings the whole file, so that nobody resumes or looks up the upload. */
  readonly isWhole?: boolean;
  /**
   * Called when the file is published at its path. May be called again after a crash. `replaced`: the entry of the file
   * that it has replaced.
   */
  onAppeared?(path: string, replaced?: BinEntry): Promise<void>;
}

export interface UploadDeps {
  readonly store: UploadStore;
  readonly parts: UploadParts;
  readonly leases: Leases;
  readonly stored: Pick<StoredFiles, 'records'>;
  readonly withRoom: WithRoom;
  /** How long replaced files are kept in the bin. 0: they are not. */
  readonly keepSeconds: number;
  /** The maximum size of a file in bytes. */
  readonly maxBytes: number;
  /** An upload that is not used for this time expires. */
  readonly expirySeconds: number;
  /** Counts events of resumable uploads for the metrics. */
  readonly onEvent: (event: 'created' | 'finished' | 'removed' | 'expired') => void;
  readonly log: { warn(details: object, message: string): void };
}

/** How long a record lasts after its upload is published. A client that did not get the reply can still ask for it. */
const PUBLISHED_SECONDS = 600;

/** How long the record of a whole file lasts after a crash, and how often its request renews it. */
const WHOLE_SECONDS = 300;
const RENEWAL_MS = 60_000;

/** How much room a body of unknown length reserves at once, in bytes. Each reservation costs a transaction. */
const STEP_BYTES = 16 * 2 ** 20;

/** The maximum number of unfinished uploads of a client. Each takes a record and disk space. */
const MAX_OPEN = 1000;

/** The maximum for uploads by links, so that some are left for the client itself. */
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
 * Creates the operations on uploads. For uploads of other clients, and by a link for those that it did not begin, they throw
 * UPLOAD_NOT_FOUND.
 */
export function uploadOperations(deps: UploadDeps) {
  const { store, parts, expirySeconds, onEvent } = deps;

  const claim = async (context: UploadContext, uploadId: string): Promise<UploadRecord> =>
    ownOf(context, await store.claim(context.caller.clientId, uploadId, context.lock.holder, expirySeconds));

  const find = async (uploader: Uploader, uploadId: string): Promise<UploadRecord> =>
    ownOf(uploader, await store.find(uploader.caller.clientId, uploadId));

  /** Removes an upload that has failed. Ignores errors: the record expires. */
  const drop = (upload: UploadRecord): Promise<unknown> => removeUpload(deps, upload).catch(() => undefined);

  /** Records an upload. Throws what `create` throws. */
  async function begin({ caller, link, lock, isWhole = false }: UploadContext, sent: NewUpload): Promise<UploadRecord> {
    const { uploadId, sizeBytes, metadata, precondition, keepsReplaced = false } = sent;
    const { clientId, root, policy } = caller;
    checkSize(sizeBytes, { maxBytes: deps.maxBytes, link });
    if (metadata.length > MAX_METADATA) throw metadataTooLong(metadata.length);
    const field = isWhole ? '/path' : '/metadata/path';
    const path = parseFilePath(link === undefined ? sent.path : pathBelow(link.folder, sent.path, field), root, field);
    await checkRecords(deps.stored, caller);
    const upload: UploadRecord = {
      ...{ uploadId, clientId, path, sizeBytes, metadata, offsetBytes: 0, data: '', isPublished: false },
      precondition: writeTerms({ ...precondition, keepsReplaced, shareId: link?.shareId }),
    };
    const maxOpen = link === undefined ? MAX_OPEN : MAX_OPEN_WITH_LINKS;
    const limits = { maxOpen, maxPublished: MAX_PUBLISHED, maxStoredBytes: policy.storage, shareId: link?.shareId };
    try {
      const seconds = isWhole ? WHOLE_SECONDS : expirySeconds;
      const add = (): Promise<boolean> => store.add(upload, lock.holder, seconds, limits);
      if (!(await reserve({ caller, link }, add))) throw tooManyOpen();
      await parts.begin({ ...upload, root, folder: link?.folder }, toFileCheck(precondition));
      return upload;
    } catch (error) {
      await drop(upload);
      throw error;
    }
  }

  /** Runs what reserves room. Whoever has a link cannot empty the bin of the client: it gets what room there is. */
  const reserve = <T>({ caller, link }: Uploader, run: () => Promise<T>): Promise<T> =>
    link === undefined ? deps.withRoom(caller, run) : run();

  /** The writing of an upload, whose lock the request has. `sizeBytes`: undefined if the file ends with its bytes. */
  function writing(context: UploadContext, record: UploadRecord, sizeBytes: number | undefined) {
    const { caller, link, lock, isWhole = false } = context;
    const { uploadId, clientId, path } = record;
    let upload = { ...record, root: caller.root, folder: link?.folder };

    const save = async (change: UploadChange): Promise<void> => {
      upload = { ...upload, ...change };
      // Nobody continues a whole file, so only data are stored by which a sweep finds its bytes.
      if (isWhole && change.offsetBytes !== undefined && change.data === undefined) return;
      const seconds = isWhole ? WHOLE_SECONDS : expirySeconds;
      if (!(await store.save(uploadId, lock.holder, change, seconds))) throw uploadLocked();
    };

    /** Publishes the complete file, and removes the bytes of the upload. Can be repeated after a crash. */
    const finish = async (rest?: Uint8Array): Promise<Published> => {
      const terms = readTerms(upload.precondition);
      const { keepsReplaced = false, shareId } = terms;
      /** Marks an upload of a link while its file can appear: after a crash, the sweep counts the file as taken. */
      const mark = async (isAppearing?: true): Promise<void> => {
        if (shareId !== undefined) await save({ precondition: writeTerms({ ...terms, isAppearing }) });
      };
      await mark(true);
      const publishing = {
        ...{ rest, save: isWhole ? undefined : save },
        check: toFileCheck(terms),
        keepsReplaced: keepsReplaced && deps.keepSeconds > 0,
      };
      const published = await parts
        .publish({ ...upload, sizeBytes: upload.offsetBytes }, publishing)
        .catch(async (error: unknown) => {
          await mark().catch(() => undefined);
          throw error;
        });
      const { before, replaced } = published;
      await context.onAppeared?.(path, replaced);
      const change = { files: upload.offsetBytes - (before?.sizeBytes ?? 0), bin: replaced?.bytes ?? 0 };
      const seconds = isWhole ? 0 : Math.min(PUBLISHED_SECONDS, expirySeconds);
      const publication = { precondition: writeTerms({ shareId }), change };
      // After a crash before this call, the upload counts instead of the file until its record expires.
      if (!(await store.publish(clientId, uploadId, lock.holder, publication, seconds))) throw uploadLocked();
      if (!isWhole) onEvent('finished');
      try {
        await parts.remove(upload);
        if (!isWhole) await store.save(uploadId, lock.holder, { data: '' }, seconds);
      } catch (err) {
        // Only log this: a sweep removes the bytes.
        deps.log.warn({ err, uploadId }, 'parts of a finished upload not removed');
      }
      return published;
    };

    return {
      save,
      finish,
      /** Appends bytes, and publishes the file after the last one. */
      append: async (bytes: AsyncIterable<Uint8Array>) => {
        const { offsetBytes, rest } = await parts.append({ ...upload, sizeBytes }, bytes, save);
        upload = { ...upload, offsetBytes };
        return { offsetBytes, published: offsetBytes === (sizeBytes ?? offsetBytes) ? await finish(rest) : undefined };
      },
      /** Removes what was written. */
      drop: () => drop(upload),
    };
  }

  /** Passes on the body of a whole file, within its limits. Reserves room for a body of unknown length. */
  async function* within(
    { caller, link }: Uploader,
    { uploadId, sizeBytes }: UploadRecord,
    bytes: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    let [received, reserved] = [0, sizeBytes];
    const grow = async (until: number): Promise<void> => {
      const more = until - reserved;
      await reserve({ caller, link }, () => store.grow(caller.clientId, uploadId, more, caller.policy.storage));
      reserved = until;
    };
    for await (const chunk of bytes) {
      received += chunk.length;
      checkSize(received, { maxBytes: deps.maxBytes, link });
      if (received > reserved)
        // A larger step than is needed, if it fits.
        await grow(received + STEP_BYTES).catch((error: unknown) => {
          if (error instanceof StorageExceeded) return grow(received);
          throw error;
        });
      yield chunk;
    }
  }

  return {
    lock: (uploadId: string, onWanted: () => void) => lockUpload(deps.leases, uploadId, onWanted),
    maxBytes: deps.maxBytes,
    expirySeconds,
    find,

    /**
     * Stores a whole file, or changes nothing. A replaced file that the bin cannot keep is replaced all the same. Throws what `create` and
     * `append` throw.
     */
    async put(uploader: Uploader, { bytes, sizeBytes, ...file }: WholeFile): Promise<Published> {
      const context = { ...uploader, lock: { holder: randomUUID() }, isWhole: true };
      // If the length is unknown, at least one byte must fit.
      const record = await begin(context, { ...file, uploadId: randomUUID(), sizeBytes: sizeBytes ?? 1, metadata: '' });
      const upload = writing(context, record, sizeBytes);
      const renewal = setInterval(() => void upload.save({}).catch(() => undefined), RENEWAL_MS);
      try {
        const { published } = await upload.append(within(uploader, record, bytes));
        if (published !== undefined) return published;
        throw new Error('The body is shorter than its length.');
      } catch (error) {
        await upload.drop();
        throw error;
      } finally {
        clearInterval(renewal);
      }
    },

    /**
     * Creates an upload. Publishes an empty file at once. Throws BODY_TOO_LARGE, STORAGE_EXCEEDED, QUOTA_EXCEEDED, PRECONDITION_FAILED,
     * NO_SPACE, TOO_MANY_UPLOADS, NOT_A_FILE, INVALID_REQUEST.
     */
    async create(context: UploadContext, sent: NewUpload): Promise<void> {
      const record = await begin(context, sent);
      onEvent('created');
      const upload = writing(context, record, record.sizeBytes);
      try {
        if (sent.sizeBytes === 0) await upload.finish();
      } catch (error) {
        await upload.drop();
        throw error;
      }
    },

    /**
     * Appends bytes, and publishes the file after the last one. Returns the new offset. If `bytes` throws, what has
     * arrived is stored. Throws NO_SPACE, STORAGE_FAULT, PRECONDITION_FAILED.
     */
    async append(context: UploadContext, uploadId: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
      const record = await claim(context, uploadId);
      if (record.isPublished) return record.offsetBytes;
      return (await writing(context, record, record.sizeBytes).append(bytes)).offsetBytes;
    },

    /**
     * Finds an upload. If it is complete but not published, because of a crash or a condition that was not met, publishes
     * it first. Throws PRECONDITION_FAILED.
     */
    async settle(context: UploadContext, uploadId: string): Promise<UploadRecord> {
      const found = await find(context, uploadId);
      if (!found.isPublished && found.offsetBytes === found.sizeBytes)
        await writing(context, await claim(context, uploadId), found.sizeBytes).finish();
      return found;
    },

    /** Removes the record and the bytes of an upload, but not a published file. */
    async remove(context: UploadContext, uploadId: string): Promise<void> {
      await removeUpload(deps, await claim(context, uploadId));
      onEvent('removed');
    },
  };
}

/** Returns an upload of the client. Throws UPLOAD_NOT_FOUND if there is none, or if another link began it. */
function ownOf({ link }: Uploader, upload: UploadRecord | undefined): UploadRecord {
  if (upload !== undefined && (link === undefined || readTerms(upload.precondition).shareId === link.shareId))
    return upload;
  throw new Problem(
    'UPLOAD_NOT_FOUND',
    'This client has no such upload: it was deleted, or it expired unused. Create another upload.',
  );
}

/**
 * Removes the bytes and the record of an upload. The caller must have the lock. Resolves to false if there is no record. The link of an upload
 * that has stored no file may take another one.
 */
export async function removeUpload(
  { parts, store }: Pick<UploadDeps, 'store' | 'parts'>,
  upload: UploadRecord,
): Promise<boolean> {
  await parts.remove(upload);
  const { shareId, isAppearing = upload.isPublished } = readTerms(upload.precondition);
  return store.remove(upload.uploadId, isAppearing ? undefined : shareId);
}

/** The path of a file that a link takes. Parses the name alone, so that it cannot leave the folder. */
function pathBelow(folder: string, text: string, field: string): string {
  const name = parseMediaPath(text, '/');
  if (typeof name === 'string') return folder + name;
  throw invalidRequest([{ field, ...name }]);
}

function checkSize(bytes: number, { maxBytes, link }: Pick<UploadDeps, 'maxBytes'> & Pick<Uploader, 'link'>): void {
  if (bytes > maxBytes) throw tooLarge(maxBytes, 'set by the operator');
  if (link !== undefined && bytes > link.maxBytes) throw tooLarge(link.maxBytes, 'of this link');
}

/** What a new upload has to keep: its link, its conditions about the file that it replaces, and whether it keeps that file. */
interface Terms extends Precondition {
  readonly keepsReplaced?: boolean;
  readonly shareId?: string | undefined;
  /** Whether its file may have appeared. */
  readonly isAppearing?: true | undefined;
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

const tooLarge = (maxBytes: number, whose: string): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit ${whose}.`);

const tooManyOpen = (): Problem =>
  new Problem('TOO_MANY_UPLOADS', `${MAX_OPEN} uploads of this client are unfinished. Finish or delete some.`, {
    retryAfterSeconds: 60,
  });

const metadataTooLong = (length: number): Problem =>
  invalidRequest([
    {
      field: '/metadata',
      code: 'TOO_LONG',
      message: `Upload-Metadata has ${length} characters. At most ${MAX_METADATA} are allowed.`,
    },
  ]);
