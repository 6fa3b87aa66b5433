import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { dbOf } from '../../packages/service/src/store/transaction/database.ts';
import { ANYTHING, type Engine, submitMany, take } from '../contracts/engine.ts';
import { contractsOnPostgres } from '../contracts/postgres.ts';

const QUEUED = 10_000;

/** The most rows of the queue that one search may read, with two clients. */
const MOST_ROWS = 100;

function claimsAtDepth(engine: Engine): void {
  test('a search for the next job reads few rows of a long queue, whatever limits its clients are at', async () => {
    const world = await engine.open();
    for (const clientId of ['amy', 'bob']) await submitMany(world, clientId, QUEUED);
    await world.store.transactions.run((tx) => sql`analyze telecine_queue.job_common`.execute(dbOf(tx)));
    const rowsRead = (limit: number) =>
      world.store.transactions.run(async (tx) => {
        const taken = await world.queue.take(tx, { slots: 1, perClient: limit, ...ANYTHING });
        const { rows } = await sql<{ rows: number }>`
          select (seq_tup_read + idx_tup_fetch)::int as rows from pg_stat_xact_user_tables
          where schemaname = 'telecine_queue' and relname = 'job_common'`.execute(dbOf(tx));
        return { taken: taken.map(({ clientId }) => clientId), rows: rows[0]?.rows };
      });
    expect(await take(world, 4, 2)).toHaveLength(4);
    const held = await rowsRead(2);
    expect(held.taken).toEqual([]);
    expect(held.rows).toBeLessThan(MOST_ROWS);
    const free = await rowsRead(Number.POSITIVE_INFINITY);
    expect(free.taken).toHaveLength(1);
    expect(free.rows).toBeLessThan(MOST_ROWS);
  });
}

contractsOnPostgres([claimsAtDepth]);
