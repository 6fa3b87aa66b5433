import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { bossQueue } from '../../src/queue/boss.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { testFolder } from '../support/folders.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

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

export const postgres = {
  name: 'PostgreSQL',
  // The shortest heartbeat of pg-boss.
  leaseSeconds: 10,
  noticeSeconds: 10,
  async open({ shortLeases = false }: { readonly shortLeases?: boolean } = {}) {
    started ??= startServer();
    const server = await started;
    const database = `test_${randomUUID().replaceAll('-', '')}`;
    await server.sql(`create database ${database} template migrated strategy file_copy`);
    const store = await openPostgres({ url: server.url(database), onOutage: () => {} });
    const errors: unknown[] = [];
    const queue = await bossQueue(store.database, {
      ...(shortLeases && { leaseSeconds: 10, monitorSeconds: 1 }),
      onError: (error) => errors.push(error),
    });
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
  stop: async () => (await started)?.stop(),
};
