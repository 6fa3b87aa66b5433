import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ticketQueue } from '../../packages/service/src/queue/tickets.ts';
import { openSqlite } from '../../packages/service/src/store/sqlite/open.ts';
import { testFolder } from '../support/folders.ts';

const openStore = async () => {
  const store = await openSqlite(join(await testFolder('store'), 'telecine.db'));
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
