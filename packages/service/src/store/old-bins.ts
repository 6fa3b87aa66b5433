import type { OldBins } from '../files/ports.ts';
import { deleteRows } from './queries.ts';
import type { Database } from './transaction/database.ts';

/** What version 0.1 has put into bins; see the table `bin_entries`. */
export const oldBins = ({ reader, write }: Database): OldBins => ({
  next: (after) =>
    reader
      .selectFrom('bin_entries')
      .select(['entry_id as entryId', 'client_id as clientId', 'path', 'data'])
      .where('entry_id', '>', after)
      .orderBy('entry_id')
      .limit(1)
      .executeTakeFirst(),
  remove: (entryId) => write(async (db) => void (await deleteRows(db, 'bin_entries', { entry_id: entryId }))),
});
