import { randomUUID } from 'node:crypto';
import { afterAll, describe, onTestFinished } from 'vitest';
import { bossQueue } from '../../packages/service/src/queue/boss.ts';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { testFolder } from '../support/folders.ts';
import { isMet, needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import type { Engine } from './engine.ts';

let started: Promise<PostgresServer> | undefined;

/** The server of this test process, with a migrated database as the template of the others. */
async function startServer(): Promise<PostgresServer> {
  const server = await startPostgres(await testFolder('postgres'));
  await server.sql('create database migrated');
  const store = await openPostgres({ url: server.url('migrated'), onOutage: () => {} });
  const queue = await bossQueue(store.database, { onError: () => {} });
  await queue.close();
  await store.close();
  return server;
}

/** Opens a new database, a copy of the migrated one. */
async function openDatabase() {
  started ??= startServer();
  const server = await started;
  const database = `test_${randomUUID().replaceAll('-', '')}`;
  await server.sql(`create database ${database} template migrated strategy file_copy`);
  const store = await openPostgres({ url: server.url(database), onOutage: () => {}, migrates: false });
  return { server, database, store };
}

const postgres: Engine = {
  name: 'PostgreSQL',
  leaseSeconds: 3,
  noticeSeconds: 3,
  isConcurrent: true,
  async open({ shortLeases = false }: { readonly shortLeases?: boolean } = {}) {
    const { server, database, store } = await openDatabase();
    const errors: unknown[] = [];
    const queue = await bossQueue(store.database, {
      ...(shortLeases && { monitorSeconds: 1 }),
      onError: (error) => errors.push(error),
    });
    // pg-boss accepts no heartbeat below 10 s. Tickets get theirs from this table.
    if (shortLeases) await server.sql('update telecine_queue.queue set heartbeat_seconds = 3', database);
    const close = async (): Promise<void> => {
      await queue.close();
      await store.close();
    };
    onTestFinished(async () => {
      await close();
      if (errors.length > 0) throw new AggregateError(errors, 'pg-boss reported errors.');
    });
    return { store: { ...store, close }, queue };
  },
  async openStore() {
    const { store } = await openDatabase();
    onTestFinished(() => store.close());
    return store;
  },
};

/** Runs contract suites on PostgreSQL. Skips them, or fails under CI, where it cannot be installed. */
export function contractsOnPostgres(suites: readonly ((engine: Engine) => void)[]): void {
  needs('PostgreSQL');
  afterAll(async () => {
    const server = await started;
    // The next test file of this process starts its own.
    started = undefined;
    await server?.stop();
  });
  describe.skipIf(!isMet('PostgreSQL'))('contracts', () => {
    for (const suite of suites) suite(postgres);
  });
}
