import type { CatalogueStore } from '../workers/ports/worker-store.ts';
import { countRows, findRow } from './queries.ts';
import type { Database } from './transaction/database.ts';

export const catalogueStore = ({ reader, write }: Database): CatalogueStore => ({
  async add(key, content) {
    const row = { catalogue_key: key, content };
    await write((db) =>
      db
        .insertInto('catalogues')
        .values(row)
        .onConflict((c) => c.column('catalogue_key').doNothing())
        .execute(),
    );
  },

  has: async (key) => (await countRows(reader, 'catalogues', { catalogue_key: key })) > 0,

  read: async (key) => (await findRow(reader, 'catalogues', { catalogue_key: key }))?.content,
});
