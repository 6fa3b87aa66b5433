import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ticketQueue } from '../../packages/service/src/queue/tickets.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { testFolder } from '../support/folders.ts';
import { makeOnce } from '../support/media.ts';

/** A folder with a store that is empty. Making its tables takes longer than most tests do. */
const emptyStore = () =>
  makeOnce('empty-store', async (folder) => (await openSqlite(join(folder, 'telecine.db'))).close());

const openStore = async () => {
  const file = join(await testFolder('store'), 'telecine.db');
  await copyFile(join(await emptyStore(), 'telecine.db'), file);
  const store = await openSqlite(file);
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
