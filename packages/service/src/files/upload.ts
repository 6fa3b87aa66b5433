import { randomUUID } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { Problem, type ProblemCode } from '@telecine/contract/domain/problem.ts';
import type { UploadLink } from '@telecine/contract/domain/signed-link.ts';
import {
  checkRecords,
  StorageExceeded,
  type StoredFiles,
  type WithRoom,
} from '@telecine/contract/domain/stored-files.ts';
import { parseFilePath } from './file-path.ts';
import type { FileStore, Published, UsedLinks } from './ports.ts';
import { type Precondition, toFileCheck } from './precondition.ts';

export interface UploadRequest {
  /** The Content-Length of the request. undefined: it has none. */
  readonly sizeBytes?: number;
  readonly precondition: Precondition;
  /** Whether to keep a file that the upload replaces in the bin. */
  readonly keepsReplaced?: boolean;
  /** The body, which is read only after the precondition and the limits are checked. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface UploadDeps {
  readonly store: FileStore;
  readonly stored: Pick<StoredFiles, 'reserve' | 'settle' | 'add' | 'records'>;
  readonly withRoom: WithRoom;
  /** How long replaced files are kept in the bin. 0: they are not. */
  readonly keepSeconds: number;
  /** The maximum size of one file in bytes. */
  readonly maxBytes: number;
}

/**
 * Stores a whole file, or changes nothing. A replaced file that the bin cannot keep is replaced all the same. Throws BODY_TOO_LARGE,
 * STORAGE_EXCEEDED, QUOTA_EXCEEDED, PRECONDITION_FAILED, NO_SPACE.
 */
export async function storeUpload(
  deps: UploadDeps,
  caller: Caller,
  text: string,
  { sizeBytes, precondition, keepsReplaced = false, bytes }: UploadRequest,
): Promise<Published> {
  const { store, stored, maxBytes, keepSeconds } = deps;
  const { clientId, root } = caller;
  const path = parseFilePath(text, root);
  if (sizeBytes !== undefined && sizeBytes > maxBytes) throw fileTooLarge(maxBytes);
  await checkRecords(stored, caller);
  const room = uploadRoom(deps, caller);
  try {
    // If the length is unknown, at least one byte must fit.
    await room.use(sizeBytes ?? 1);
    const session = await store.beginUpload(root, path, {
      check: toFileCheck(precondition),
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
      const published = await session.publish(keepsReplaced && keepSeconds > 0);
      await room.settle(received);
      await countReplaced(stored, clientId, published);
      return published;
    } finally {
      await session.discard();
    }
  } finally {
    await room.settle(0);
  }
}

/** Counts a replaced file, which is gone or in the bin. Ignores an outage: a sum finds it. */
export async function countReplaced(
  stored: Pick<StoredFiles, 'add'>,
  clientId: string,
  { before, replaced }: Published,
): Promise<void> {
  const bytes = before?.sizeBytes ?? 0;
  if (bytes > 0) await stored.add(clientId, { files: -bytes, bin: replaced?.bytes ?? 0 }).catch(() => undefined);
}

/** The size of one reservation for a body of unknown length, in bytes. Each reservation costs a transaction. */
const STEP_BYTES = 16 * 2 ** 20;

/** How old a reservation is when it is renewed. Without a renewal, it expires after an hour. */
const RENEWAL_MS = 600_000;

/** Reserves room in the quota of the client for the body of one upload, so that concurrent uploads together stay within the quota. */
function uploadRoom({ stored, withRoom }: Pick<UploadDeps, 'stored' | 'withRoom'>, caller: Caller) {
  const { clientId, policy } = caller;
  const id = randomUUID();
  let [reserved, reservedAtMs, isOpen] = [0, Number.NEGATIVE_INFINITY, false];
  const reserve = async (bytes: number): Promise<void> => {
    await withRoom(caller, () => stored.reserve(clientId, id, bytes, policy.storage));
    [reserved, reservedAtMs, isOpen] = [bytes, Date.now(), true];
  };
  return {
    /** Reserves room for the bytes that have arrived or are announced. Throws STORAGE_EXCEEDED. */
    async use(bytes: number): Promise<void> {
      if (bytes <= reserved && Date.now() - reservedAtMs < RENEWAL_MS) return;
      if (!isOpen || bytes <= reserved) return reserve(Math.max(bytes, reserved));
      // A larger step than is needed, if it fits.
      await reserve(bytes + STEP_BYTES).catch((error: unknown) => {
        if (error instanceof StorageExceeded) return reserve(bytes);
        throw error;
      });
    },
    /** Counts the stored bytes. Call this at the end with 0, which does nothing after another call. Ignores an outage: the reservation expires. */
    async settle(bytes: number): Promise<void> {
      if (isOpen) await stored.settle(clientId, id, bytes).catch(() => undefined);
      isOpen = false;
    },
  };
}

export const bodyTooLarge = (maxBytes: number, whose: string): Problem =>
  new Problem('BODY_TOO_LARGE', `The file is larger than ${maxBytes} bytes, the limit ${whose}.`);

export const fileTooLarge = (maxBytes: number): Problem => bodyTooLarge(maxBytes, 'set by the operator');

/** Error codes with which a complete upload has certainly stored no file. After other errors, the file may exist. */
const NOTHING_STORED: ReadonlySet<ProblemCode> = new Set([
  'PRECONDITION_FAILED',
  'NOT_A_FILE',
  'STORAGE_EXCEEDED',
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
    readonly upload: (caller: Caller, path: string, request: UploadRequest) => Promise<Published>;
    readonly used: UsedLinks;
  },
  caller: Caller,
  { linkId, path, maxBytes, replace }: UploadLink,
  { sizeBytes, precondition, bytes, expiresAt }: UploadRequest & { readonly expiresAt: Date },
): Promise<Published> {
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
