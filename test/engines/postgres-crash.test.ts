import { afterAll, beforeAll, expect } from 'vitest';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

const test = needs('PostgreSQL');

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'), { durable: true });
  // The longest: until then, nothing writes to disk what no transaction has waited for.
  await postgres.sql(`alter system set wal_writer_delay = '10s'`);
  await postgres.sql('select pg_reload_conf()');
});
afterAll(() => postgres?.stop());

/** Opens the store, and closes it after `work`. */
async function withFiles<T>(work: (files: Store['storedFiles']) => Promise<T>): Promise<T> {
  const { storedFiles, close } = await openPostgres({ url: postgres.url('postgres'), onOutage: () => {} });
  try {
    return await work(storedFiles);
  } finally {
    await close();
  }
}

/** What amy uses after PostgreSQL was killed right after `work`. */
async function usedAfterCrash(work: (files: Store['storedFiles']) => Promise<unknown>): Promise<number> {
  await withFiles(async (files) => {
    await work(files);
    await postgres.kill9();
  });
  await postgres.start();
  return withFiles((files) => files.used('amy'));
}

test('a reservation that has ended counts at most until the next sum after PostgreSQL has crashed', async () => {
  await withFiles(async (files) => {
    await files.reserve('amy', 'upload', 7, 100);
    await postgres.sql('checkpoint');
  });
  const used = await usedAfterCrash((files) => files.settle('amy', 'upload', 5));
  expect([5, 7]).toContain(used);
});
