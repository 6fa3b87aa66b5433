import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, expect } from 'vitest';
import { ORDINARY } from '../../src/domain/lane.ts';
import { afterNumber } from '../../src/jobs/ports/change-log.ts';
import { openPostgres } from '../../src/store/postgres/open.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';

const test = needs('PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

test('numbers of changes go on rising when the database is restored on a server with lower transaction ids', async () => {
  await postgres.sql('create database restored');
  const url = postgres.url('restored');
  const open = () => openPostgres({ url, onOutage: () => {} });
  const submit = (store: Awaited<ReturnType<typeof open>>) => {
    const [jobId, createdAt] = [uuid(), '2026-11-20T10:00:00.000Z'];
    return store.transactions.run(async (tx) => {
      const request = '{"input":"in.mov","output":"out.mp4"}';
      await store.jobs.insert(tx, [{ jobId, clientId: 'amy', request, fairnessRank: 1, createdAt, ...ORDINARY }]);
      return jobId;
    });
  };
  const before = await open();
  await submit(before);
  await before.close();
  await postgres.sql('update jobs set change_number = 1000000000', 'restored');

  const after = await open();
  expect(await after.changeLog.last()).toBe(1_000_000_000);
  const next = await submit(after);
  const { changes } = await after.changeLog.after(afterNumber(1_000_000_000), 10);
  expect(changes.map(({ jobId }) => jobId)).toEqual([next]);
  const last = await after.changeLog.last();
  await after.close();

  const again = await open();
  expect(await again.changeLog.last()).toBe(last);
  await again.close();
});
