import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { ticketQueue } from '../../packages/service/src/queue/tickets.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { testFolder } from '../support/folders.ts';
import { makeOnce } from '../support/media.ts';

/** A folder with a store that is empty. Making its tables takes longer than most tests do. */
const emptyStore = () =>
  makeOnce('empty-store', async (folder) => {
    const file = join(folder, 'telecine.db');
    await (await openSqlite(file)).close();
    // The tables are still in the log, which is another file.
    using database = new DatabaseSync(file);
    database.exec('pragma wal_checkpoint(truncate)');
  });

const openStore = async () => {
  const file = join(await testFolder('store'), 'telecine.db');
  await copyFile(join(await emptyStore(), 'telecine.db'), file);
  const store = await openSqlite(file, { migrates: false });
  onTestFinished(() => store.close());
  return store;
};

export const sqlite = {
  name: 'SQLite',
  leaseSeconds: 2,
  noticeSeconds: 0,
  isConcurrent: false,
  async open(options: { readonly shortLeases?: boolean; readonly leaseSeconds?: number } = {}) {
    const store = await openStore();
    return { store, queue: ticketQueue(store.database, options.shortLeases ? { leaseSeconds: 2 } : options) };
  },
  openStore,
};
