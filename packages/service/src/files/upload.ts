import { randomUUID } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import type { UploadLink } from '@telecine/contract/domain/signed-link.ts';
import { isStoreOutage } from '@telecine/contract/domain/store-errors.ts';
import { checkRecords, type RecountFiles, type StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { BinEntry, BinStore, FileFacts, FileStore, UsedLinks } from './ports.ts';
import { type Precondition, toFileCheck } from './precondition.ts';
import { replacedFile } from './replaced-file.ts';

export interface UploadRequest {
  /** The Content-Length of the request. undefined: it has none. */
  readonly sizeBytes?: number;
  readonly precondition: Precondition;
  /** Whether to keep a file that the upload replaces in the bin. */
  readonly keepsReplaced?: boolean;
  /** The body, which is read only after the precondition and the limits are checked. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface UploadedFile {
  readonly file: FileFacts;
  readonly created: boolean;
  /** The entry of the file that was replaced. */
  readonly replaced?: BinEntry;
}

export interface UploadDeps {
  readonly store: FileStore;
  readonly stored: Pick<StoredFiles, 'reserve' | 'release' | 'count' | 'find' | 'records'>;
  readonly recount: RecountFiles;
  readonly bin: BinStore;
  /** How long replaced files are kept in the bin. 0: they are not. */
  readonly keepSeconds: number;
  /** The maximum size of one file in bytes. */
  readonly maxBytes: number;
}

/**
 * Stores a whole file, or changes nothing. A replaced file that the bin cannot keep is replaced all the same. Throws BODY_TOO_LARGE,
 * QUOTA_EXCEEDED, PRECONDITION_FAILED, NO_SPACE.
 */
export async function storeUpload(
  deps: UploadDeps,
  caller: Caller,
  text: string,
  { sizeBytes, precondition, keepsReplaced = false, bytes }: UploadRequest,
): Promise<UploadedFile> {
  const { store, recount, maxBytes, keepSeconds } = deps;
  const path = parseFilePath(text, caller.root);
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw fileTooLarge(maxBytes);
  await checkRecords(deps.stored, caller);
  const version = randomUUID();
  const room = uploadRoom(deps, caller, path, version);
  const replaced = keepsReplaced && keepSeconds > 0 ? replacedFile(deps, caller, path) : undefined;
  const check = toFileCheck(precondition);
  let replaces = false;
  try {
    await room.announce(sizeBytes);
    const session = await store.beginUpload(caller.root, path, {
      check: (current) => {
        replaces = current !== undefined;
        check(current);
      },
      ...(sizeBytes !== undefined && { sizeBytes }),
      by: caller,
    });
    try {
      let received = 0;
      async function* counted(): AsyncGenerator<Uint8Array> {
        for await (const chunk of bytes) {
          received += chunk.length;
          if (received > maxBytes) throw fileTooLarge(maxBytes);
          await room.use(received);
          yield chunk;
        }
      }
      await session.append(counted());
      const recountFile = (hasAppeared: boolean) => recount(caller.clientId, [path], { version, hasAppeared });
      if (replaces) await replaced?.readCount();
      await room.count(received).catch(async (error) => {
        // The transaction may have been committed although its reply was lost, so recount the file.
        if (isStoreOutage(error)) await recountFile(false);
        throw error;
      });
      const published = await session.publish(replaced?.record).catch(async (error) => {
        await replaced?.abandon();
        await recountFile(false);
        throw error;
      });
      const entry = await replaced?.end();
      await recountFile(true);
      return { ...published, ...(entry && { replaced: entry }) };
    } finally {
      await session.discard();
    }
  } finally {
    await room.release();
  }
}

/** The size of one reservation for a body of unknown length, in bytes. Each reservation costs a transaction. */
const STEP_BYTES = 16 * 2 ** 20;

/** The age at which a reservation is renewed. The database drops it after an hour. */
const RENEWAL_MS = 600_000;

/**
 * Reserves room in the quota of the client for the body of one upload, so that concurrent uploads together stay within
 * the quota. If the client has no quota, only counts the file. Each method except `release` throws QUOTA_EXCEEDED.
 * `version`: see `StoredFiles.count`.
 */
function uploadRoom(
  { stored, recount }: Pick<UploadDeps, 'stored' | 'recount'>,
  { clientId, policy: { storage: limit } }: Caller,
  path: MediaPath,
  version: string,
) {
  let reserved = 0;
  let reservedAtMs = 0;
  let isReserved = false;
  const reserve = async (least: number, most: number): Promise<void> => {
    if (limit === undefined) return;
    reserved = await stored.reserve(clientId, path, { least, most, version, limit });
    reservedAtMs = Date.now();
    isReserved = true;
  };
  return {
    /** Reserves room for a body before it is read. If its length is unknown, at least one byte must fit. */
    announce: (sizeBytes: number | undefined): Promise<void> =>
      sizeBytes === undefined ? reserve(1, STEP_BYTES) : reserve(sizeBytes, sizeBytes),
    /** Reserves more room if it is needed. `bytes`: how many bytes have arrived so far. */
    use: async (bytes: number): Promise<void> => {
      if (!isReserved) return;
      if (bytes > reserved) await reserve(bytes, bytes + STEP_BYTES);
      else if (Date.now() - reservedAtMs > RENEWAL_MS) await reserve(reserved, reserved);
    },
    /** Counts the file. Call this before publishing the file, and recount it afterwards. */
    count: async (bytes: number): Promise<void> => {
      await stored.count(clientId, [{ path, bytes }], { version, limit });
      isReserved = false;
    },
    /**
     * Ends a reservation whose file was not counted. Always call this at the end. Never rejects: after an error, a
     * recount corrects it.
     */
    release: async (): Promise<void> => {
      if (isReserved)
        await stored.release(clientId, version).catch(() => recount(clientId, [path], { version, hasAppeared: false }));
    },
  };
}

const bodyTooLarge = (maxBytes: number, whose: string): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit ${whose}.`);

export const fileTooLarge = (maxBytes: number): Problem => bodyTooLarge(maxBytes, 'set by the operator');

/** Error codes with which a complete upload has certainly stored no file. After other errors, the file may exist. */
const NOTHING_STORED: ReadonlySet<ProblemCode> = new Set([
  'PRECONDITION_FAILED',
  'NOT_A_FILE',
  'QUOTA_EXCEEDED',
  'NO_SPACE',
]);

/**
 * Stores a file within the terms of a verified link. `caller`: the client that signed the link. After a failure, the
 * link stays used only if the file may exist. Throws LINK_USED and the errors of `storeUpload`.
 */
export async function uploadByLink(
  {
    upload,
    used,
  }: {
    readonly upload: (caller: Caller, path: string, request: UploadRequest) => Promise<UploadedFile>;
    readonly used: UsedLinks;
  },
  caller: Caller,
  { linkId, path, maxBytes, replace }: UploadLink,
  { sizeBytes, precondition, bytes, expiresAt }: UploadRequest & { readonly expiresAt: Date },
): Promise<UploadedFile> {
  const tooLarge = (): Problem => bodyTooLarge(maxBytes, 'of this link');
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw tooLarge();
  // Check before the bytes are read. If several uploads run at the same time, `untilUsed` lets only one of them finish.
  if (await used.isUsed(linkId)) throw linkUsed();
  let hasMark = false;
  async function* untilUsed(): AsyncGenerator<Uint8Array> {
    let received = 0;
    for await (const chunk of bytes) {
      received += chunk.length;
      if (received > maxBytes) throw tooLarge();
      yield chunk;
    }
    hasMark = await used.use(linkId, expiresAt);
    if (!hasMark) throw linkUsed();
  }
  try {
    return await upload(caller, path, {
      precondition: replace ? precondition : { ...precondition, ifNoneMatch: '*' },
      bytes: untilUsed(),
      ...(sizeBytes !== undefined && { sizeBytes }),
    });
  } catch (error) {
    // If the release fails too, throw the error of the upload. The link then stays used.
    if (hasMark && error instanceof Problem && NOTHING_STORED.has(error.code))
      await used.release(linkId).catch(() => undefined);
    throw error;
  }
}

const linkUsed = (): Problem =>
  new Problem(
    'LINK_USED',
    'This link was used: a file was uploaded by it, or is being stored. Each link works once. Ask for a new one.',
  );
