import { type Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Tx } from '../../packages/service/src/jobs/ports/transactions.ts';
import { insertBatcher, type JobToInsert } from '../../packages/service/src/jobs/submit/insert-jobs.ts';
import type { Schema } from '../../packages/service/src/store/schema.ts';
import type { Store } from '../../packages/service/src/store/store.ts';
import { dbOf as dbOfTx } from '../../packages/service/src/store/transaction/database.ts';
import { AT, type Engine, jobToInsert as job, startNext, type World } from '../contracts/engine.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';

const dbOf = ({ store }: World): Kysely<Schema> => (store as Store).database.reader;

/**
 * Stores jobs as submissions that arrive together. `isPlain`: by the function of the database, if the jobs are plain. Resolves to how many
 * jobs the function stored.
 */
async function insertTogether({ store, queue }: World, jobs: readonly JobToInsert[], isPlain = true): Promise<number> {
  const { enqueue, insertPlainJobs } = queue;
  let byFunction = 0;
  const insertCounted: typeof insertPlainJobs = async (tx, plain, createdAt) => {
    await insertPlainJobs?.(tx, plain, createdAt);
    byFunction += plain.length;
  };
  const insertJob = insertBatcher({
    ...store,
    queue: { enqueue, ...(isPlain && insertPlainJobs && { insertPlainJobs: insertCounted }) },
    now: () => new Date(AT),
  });
  await Promise.all(jobs.map(insertJob));
  return byFunction;
}

/** All columns of all rows that submissions write. Times by the clock of the database are relative to that of the insert. */
async function rowsOf(world: World): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const rows = async (table: string, key: string, columns: string): Promise<readonly unknown[]> => {
    const { rows: found } = await sql<{
      row: unknown;
    }>`select to_jsonb(t) || jsonb_build_object(${sql.raw(columns)}) as row
      from ${sql.table(table)} t order by ${sql.raw(key)}`.execute(dbOf(world));
    return found.map(({ row }) => row);
  };
  return {
    jobs: await rows('jobs', 'job_id', `'change_number', change_number is not null`),
    tickets: await rows(
      'telecine_queue.job',
      'id',
      `'created_on', created_on between now() - interval '1 minute' and now(),
       'start_after', start_after - created_on, 'keep_until', keep_until - created_on`,
    ),
    usage: await rows('client_usage', 'client_id, day', ''),
  };
}

function plainJobsContract(engine: Engine): void {
  describe(`plain jobs on ${engine.name}`, () => {
    test('stores the same rows by the function of the database as by the statements for all other jobs', async () => {
      const [plain, general] = [await engine.open(), await engine.open()];
      const parent = job('amy');
      const first = [parent, job('bob'), job('bob', { waitingFor: [parent.jobId] })];
      const all = [
        job('cleo'),
        job('amy', { request: JSON.stringify({ input: 'a\nb\r\\n\\\u0000\u2028\ud800{",é😀.mp4', output: '\n' }) }),
        job('bob', { lane: 'light', weight: 30 }),
        job('amy', { warnings: '["A \\"quoted\\" text, {with} \\\\ signs."]', traceParent: '00-0af7-b7ad-01' }),
        job('bob', { weight: 400, priority: 2 }),
        job('amy', { lane: 'fetch', priority: -1 }),
      ];
      for (const world of [plain, general]) {
        await insertTogether(world, first, false);
        await startNext(world);
      }
      const before = await rowsOf(plain);
      expect(await insertTogether(plain, all)).toBe(all.length);
      expect(await insertTogether(general, all, false)).toBe(0);
      const rows = await rowsOf(plain);
      expect(before['jobs']).toHaveLength(3);
      expect(rows['jobs']).toHaveLength(9);
      expect(rows['tickets']).toHaveLength(8);
      const times = /^(started_at|claimed_at|started_on|heartbeat_on)$/;
      const comparable = (of: typeof rows): unknown =>
        JSON.parse(JSON.stringify(of), (key, value) => (times.test(key) && value !== null ? 'set' : value));
      expect(comparable(rows)).toEqual(comparable(await rowsOf(general)));
    });

    test('reads indexes for the ranks of jobs, also by plans that it made while there was one job', async () => {
      const world = await engine.open();
      await insertTogether(world, [job('amy')]);
      await startNext(world);
      await sql`analyze jobs`.execute(dbOf(world));
      const scans = async (tx: Tx): Promise<unknown> => {
        const { rows } = await sql`
          select seq_scan from pg_stat_xact_user_tables where relname = 'jobs'`.execute(dbOfTx(tx));
        return rows;
      };
      const [before, after] = await world.store.transactions.run(async (tx) => {
        const earlier = await scans(tx);
        for (const client of ['amy', 'bob', 'amy']) await world.queue.insertPlainJobs?.(tx, [job(client)], AT);
        return [earlier, await scans(tx)];
      });
      expect(after).toEqual(before);
    });

    test('stores no job without a ticket', async () => {
      const world = await engine.open();
      await insertTogether(world, [job('amy')]);
      await sql`delete from telecine_queue.queue where name = 'light'`.execute(dbOf(world));
      const light = job('amy', { lane: 'light' });
      await expect(insertTogether(world, [light])).rejects.toThrow('1 jobs have 0 tickets');
      expect(await world.store.jobs.get(light.jobId)).toBeUndefined();
    });
  });
}

contractsOnPostgres([plainJobsContract]);
