import { expect, onTestFinished } from 'vitest';
import { bossQueue } from '../../packages/service/src/queue/boss.ts';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { startPostgres } from '../support/postgres.ts';

needs('PostgreSQL')(
  'services that start at once on an empty database create the tables without an error, here or in the log of PostgreSQL',
  async () => {
    const server = await startPostgres(await testFolder('postgres'));
    onTestFinished(() => server.stop());
    const errors: unknown[] = [];
    const start = async (): Promise<void> => {
      const store = await openPostgres({ url: server.url('postgres'), onOutage: (reason) => errors.push(reason) });
      onTestFinished(() => store.close());
      const queue = await bossQueue(store.database, { onError: (error) => errors.push(error) });
      onTestFinished(() => queue.close());
    };
    await Promise.all(Array.from({ length: 8 }, start));
    expect(errors).toEqual([]);
    expect(server.log().match(/(?:WARNING|ERROR|FATAL): .*/g) ?? []).toEqual([]);
  },
);
