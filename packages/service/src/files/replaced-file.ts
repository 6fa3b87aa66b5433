import { randomUUID } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { v5 as uuidOf } from 'uuid';
import { addToBin } from './add-to-bin.ts';
import { endHold, newHold, renewHold } from './bin-holds.ts';
import type { OtherFile } from './other-counts.ts';
import type { BinEntry, BinStore, FileStore, ReplacedRecord } from './ports.ts';

export interface ReplacedFileDeps {
  readonly bin: BinStore;
  readonly stored: Pick<StoredFiles, 'find'>;
  readonly store: Pick<FileStore, 'purgeFromBin'>;
  /** How long files are kept in the bin. 0: they are not. */
  readonly keepSeconds: number;
}

export type ReplacedFile = ReturnType<typeof replacedFile>;

/** The namespace of the ids of entries that are derived from an upload (see RFC 9562). */
const NAMESPACE = '6f0c52c5-3a0e-4d8f-9d52-5f3f0a8a7c11';

/**
 * The file that a new one replaces, which the engine keeps in the bin of the client. Costs nothing if there is no such
 * file. Call `end` or `abandon` at the end.
 *
 * @param options.others What it counts for other clients.
 * @param options.uploadId The id of an upload that may be published again after a crash. Then it finds the entry that it had added
 * before, instead of adding another one for the same file. Only one request at a time publishes it.
 */
export function replacedFile(
  { bin, stored, store, keepSeconds }: ReplacedFileDeps,
  caller: Caller,
  path: MediaPath,
  { uploadId, others = [] }: { readonly uploadId?: string | undefined; readonly others?: readonly OtherFile[] } = {},
) {
  const { clientId, root } = caller;
  const randomId = randomUUID();
  // With the same holder, a repeat need not wait until the hold from before the crash has ended.
  const hold = newHold(uploadId);
  let isCounted: boolean | undefined;
  let added: BinEntry | undefined;
  let renewing: Disposable | undefined;
  const readCount = async (): Promise<void> => {
    isCounted ??= (await stored.find(clientId, [path])).length > 0;
  };
  const stopRenewing = (): void => renewing?.[Symbol.dispose]();
  /** Takes over the entry that an earlier attempt of the upload added. */
  const takeOver = async (entryId: string): Promise<BinEntry> => {
    const entry = (await bin.hold(entryId, hold)) ? await bin.find(clientId, entryId) : undefined;
    if (entry === undefined) throw inUse();
    await bin.postpone(entryId, keepSeconds);
    return entry;
  };
  /** The id of the entry that may have been added. */
  let ownId: string | undefined;
  const record: ReplacedRecord = {
    // With the fingerprint: if another file is at the path after a crash, the entry of the earlier file stays as it is.
    entryIdOf: ({ fingerprint }) =>
      uploadId === undefined ? randomId : uuidOf(`${uploadId} ${fingerprint}`, NAMESPACE),
    add: async (data, old) => {
      await readCount();
      const [entryId, bytes] = [record.entryIdOf(old), old.sizeBytes];
      const own = isCounted ? [{ path: '', bytes }] : [];
      const counted = [...own, ...others.map((other) => ({ path: '', bytes: other.bytes, clientId: other.clientId }))];
      ownId = entryId;
      renewing = renewHold(bin, entryId, hold);
      const entry = { entryId, clientId, path, bytes, counted, data };
      const isNew = await addToBin({ bin, store }, caller, entry, keepSeconds, hold);
      if (isNew === undefined) ownId = undefined;
      added = isNew ?? (await takeOver(entryId));
      ownId = entryId;
    },
    remove: async () => {
      added = undefined;
      stopRenewing();
      // Ignore errors: an entry without files is removed when it expires.
      if (ownId !== undefined) await bin.remove(ownId).catch(() => undefined);
    },
  };
  return {
    record,
    /** Reads whether the file counts for the quota. Call this before another file is counted at its path. */
    readCount,
    /** Call this after the file was replaced. Resolves to its entry. undefined: there was no file, or the bin had no room for it. */
    end: async (): Promise<BinEntry | undefined> => {
      stopRenewing();
      if (added === undefined) return undefined;
      // Ignore an outage of the database: the new file is there, and the hold ends by itself.
      return (await endHold({ bin, store }, root, added, hold).catch(() => true)) ? added : undefined;
    },
    /** Call this after a failure. What the engine has left in the bin can be restored. Never rejects. */
    abandon: async (): Promise<void> => {
      stopRenewing();
      if (added !== undefined) await bin.release(added.entryId, hold.holder).catch(() => undefined);
    },
  };
}

const inUse = (): Problem =>
  new Problem('UNAVAILABLE', 'Another request moves the replaced file out of the bin. Send the request again.', {
    retryAfterSeconds: 1,
  });
