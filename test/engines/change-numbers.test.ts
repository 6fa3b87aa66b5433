import { Client } from 'pg';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, expect } from 'vitest';
import { ORDINARY } from '../../packages/contract/src/domain/lane.ts';
import { afterNumber } from '../../packages/service/src/jobs/ports/job-records.ts';
import { openPostgres } from '../../packages/service/src/store/postgres/open.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { waitUntil } from '../support/wait.ts';

const test = needs('PostgreSQL');

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres(await testFolder('postgres'));
});
afterAll(() => postgres?.stop());

type Store = Awaited<ReturnType<typeof openPostgres>>;
const open = (url: string): Promise<Store> => openPostgres({ url, onOutage: () => {} });

function submit(store: Store): Promise<string> {
  const [jobId, createdAt] = [uuid(), '2026-11-20T10:00:00.000Z'];
  return store.transactions.run(async (tx) => {
    const request = '{"input":"in.mov","output":"out.mp4"}';
    await store.jobs.insert(tx, [{ jobId, clientId: 'amy', request, createdAt, ...ORDINARY }]);
    return jobId;
  });
}

test('numbers of changes go on rising when the database is restored on a server with lower transaction ids', async () => {
  await postgres.sql('create database restored');
  const url = postgres.url('restored');
  const before = await open(url);
  await submit(before);
  await before.close();
  await postgres.sql('update jobs set change_number = 1000000000', 'restored');

  const after = await open(url);
  expect(await after.changeLog.last()).toBeGreaterThan(1_000_000_000);
  // A client may have a number from after the backup. What happened then is undone, and no deletion says so.
  for (const lost of [1_000_000_000, 1_000_000_001]) expect(await after.changeLog.isKnownSince(lost)).toBe(false);
  const next = await submit(after);
  const { changes } = await after.changeLog.after(afterNumber(1_000_000_000), 10);
  expect(changes.map(({ jobId }) => jobId)).toEqual([next]);
  const last = await after.changeLog.last();
  expect(await after.changeLog.isKnownSince(last)).toBe(true);
  await after.close();

  const again = await open(url);
  expect(await again.changeLog.last()).toBe(last);
  await again.close();
});

test('a transaction in another database of the server delays no change; one in the same database does', async () => {
  await postgres.sql('create role plain login');
  await postgres.sql('create database shared owner plain');
  await postgres.sql('create database foreign_one');
  // An ordinary user, who must not see what others run.
  const url = postgres.url('shared').replace('//telecine@', '//plain@');
  const store = await open(url);
  const begin = async (database: string): Promise<Client> => {
    const other = new Client(postgres.url(database));
    await other.connect();
    await other.query('begin');
    await other.query('select pg_current_xact_id()');
    return other;
  };
  const foreign = await begin('foreign_one');
  const jobId = await submit(store);
  const position = afterNumber(await store.changeLog.last());
  const { changes } = await store.changeLog.after(afterNumber(0), 10);

  const own = await begin('shared');
  const later = await submit(store);
  const delayed = await store.changeLog.after(position, 10);
  await own.query('rollback');
  const all = await store.changeLog.after(position, 10);
  await Promise.all([own.end(), foreign.end()]);
  await store.close();

  expect(changes.map((change) => change.jobId)).toEqual([jobId]);
  expect(delayed).toEqual({ changes: [], hasMore: true });
  expect(all.changes.map((change) => change.jobId)).toEqual([later]);
});

test('a page of changes costs the same however many changes follow it', async () => {
  await postgres.sql('create database many');
  const store = await open(postgres.url('many'));
  await postgres.sql(
    `insert into jobs (job_id, client_id, status, request, fairness_rank, attempt, fence, created_at, change_number)
       select 'job ' || lpad(i::text, 6, '0'), 'amy', 'PENDING', '{}', i, 0, 0, '2026-11-20T10:00:00.000Z', 10 + i
       from generate_series(1, 30000) as i;
     insert into deleted_jobs (job_id, client_id, change_number, deleted_at)
       select 'deleted ' || i, 'amy', 10 + 3 * i, '2026-11-20T10:00:00.000Z' from generate_series(1, 10000) as i;
     update installation set change_base = 100000;
     alter database many set session_preload_libraries = 'auto_explain';
     alter database many set auto_explain.log_min_duration = 0;`,
    'many',
  );
  await store.close();
  const explained = await open(postgres.url('many'));
  const numbers: number[] = [];
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await postgres.sql('analyze jobs, deleted_jobs', 'many');
    const { changes } = await explained.changeLog.after({ number: 100, jobId: 'job 000090' }, 8);
    const open = [103, 106].map((number) => ({ number, jobId: '' }));
    const late = await explained.changeLog.unread({ number: 200, jobId: 'job 000190', open }, 8);
    numbers.push(...[...changes, ...late.changes].map(({ number }) => number));
  }
  await explained.close();
  await postgres.sql("do 'begin raise log ''end of the plans''; end'");
  await waitUntil('the plans', async () => postgres.log().includes('end of the plans') || undefined);
  const page = [...[101, 102, 103, 103, 104, 105, 106, 106], ...[103, 103, 106, 106, 201, 202, 202, 203]];
  expect(numbers).toEqual([...page, ...page]);
  const plans = postgres
    .log()
    .split('Query Text:')
    .filter((plan) => plan.includes('as "number"'));
  // Of two tables, before and after ANALYZE: the page of `after`, and those of `unread` for two numbers and a position.
  expect(plans).toHaveLength(2 * 2 * 4);
  for (const plan of plans) expect(plan).not.toMatch(/Sort|Seq Scan/);
});
