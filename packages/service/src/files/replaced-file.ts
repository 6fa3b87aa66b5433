import { randomUUID } from 'node:crypto';
import type { Caller } from '@telecine/contract/domain/client.ts';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import type { StoredFiles } from '@telecine/contract/domain/stored-files.ts';
import { endHold, newHold, renewHold } from './bin-holds.ts';
import type { BinEntry, BinStore, FileStore, ReplacedRecord } from './ports.ts';

export interface ReplacedFileDeps {
  readonly bin: BinStore;
  readonly stored: Pick<StoredFiles, 'find'>;
  readonly store: Pick<FileStore, 'purgeFromBin'>;
  /** How long files are kept in the bin. 0: they are not. */
  readonly keepSeconds: number;
}

export type ReplacedFile = ReturnType<typeof replacedFile>;

/**
 * The file that a new one replaces, which the engine keeps in the bin of the client. Costs nothing if there is no such
 * file. Call `end` or `abandon` at the end.
 */
export function replacedFile(
  { bin, stored, store, keepSeconds }: ReplacedFileDeps,
  { clientId, root }: Caller,
  path: MediaPath,
) {
  const entryId = randomUUID();
  const hold = newHold();
  let isCounted: boolean | undefined;
  let added: BinEntry | undefined;
  let renewing: Disposable | undefined;
  const readCount = async (): Promise<void> => {
    isCounted ??= (await stored.find(clientId, [path])).length > 0;
  };
  const stopRenewing = (): void => renewing?.[Symbol.dispose]();
  const record: ReplacedRecord = {
    entryId,
    add: async (data, { sizeBytes: bytes }) => {
      await readCount();
      const counted = isCounted ? [{ path: '', bytes }] : [];
      added = await bin.add({ entryId, clientId, path, bytes, counted, data }, keepSeconds, hold);
      renewing = renewHold(bin, entryId, hold);
    },
    remove: async () => {
      added = undefined;
      stopRenewing();
      // Ignore errors: an entry without files is removed when it expires.
      await bin.remove(entryId).catch(() => undefined);
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
      if (added !== undefined) await bin.release(entryId, hold.holder).catch(() => undefined);
    },
  };
}
