import { expect } from 'vitest';
import type { FileFacts, FilesInBin, ReplacedRecord } from '../../packages/service/src/files/ports.ts';

/** A record of the entry of a file that is about to be replaced, kept in memory. `onAdd`: called before it is stored. */
export function replacedRecord(entryId: string, path: string, onAdd = async (_old: FileFacts): Promise<void> => {}) {
  let entry: FilesInBin | undefined;
  const record: ReplacedRecord = {
    entryIdOf: () => entryId,
    add: async (data, old) => {
      expect(entry, 'one record').toBeUndefined();
      await onAdd(old);
      entry = { entryId, path, data };
    },
    remove: async () => {
      entry = undefined;
    },
  };
  return {
    record,
    /** The entry. undefined: there is none. */
    entry: () => entry,
    /** The entry. Throws if there is none. */
    require: (): FilesInBin => {
      if (entry === undefined) throw new Error('No file was kept.');
      return entry;
    },
  };
}
