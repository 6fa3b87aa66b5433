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

test('pending files that have ended do not count again after PostgreSQL has crashed', async () => {
  const path = 'a.mp4';
  await withFiles(async (files) => {
    await files.count('amy', [{ path, bytes: 40 }], { version: 'job.1' });
    await files.reserve('amy', 'b.mp4', { least: 7, most: 7, version: 'upload', limit: 100 });
    await postgres.sql('checkpoint');
  });
  // While a file is pending, the larger of two sizes counts.
  expect(await usedAfterCrash((files) => files.correct('amy', [{ path, version: 'job.1', bytes: 30 }], 'job.1'))).toBe(
    37,
  );
  expect(await usedAfterCrash((files) => files.release('amy', 'upload'))).toBe(30);
});
