import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ticketQueue } from '../../src/queue/tickets.ts';
import { openSqlite } from '../../src/store/open.ts';
import { testFolder } from '../support/folders.ts';
import type { Engine } from './engine.ts';

export const sqlite: Engine = {
  name: 'SQLite',
  async open(now) {
    const store = await openSqlite(join(await testFolder('store'), 'telecine.db'));
    onTestFinished(() => store.close());
    return { store, queue: ticketQueue(store.database, now && { now }) };
  },
};
