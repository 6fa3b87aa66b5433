import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../schema.ts';

/** How often a process that waits tries again. A statement that waited would fail after its time limit. */
const RETRY_MS = 100;

/** How often the lock's transaction sends a statement: the server ends one that is idle for some seconds. */
const ALIVE_MS = 2000;

/**
 * Runs `run` while no other process on the database runs something under this name. The lock belongs to a transaction of
 * its own, on a second connection, because a pooler may give each transaction another session.
 */
export async function runAlone<T>(db: Kysely<Schema>, name: string, run: () => Promise<T>): Promise<T> {
  for (;;) {
    const done = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ hasLock: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as "hasLock"`.execute(tx);
      if (rows[0]?.hasLock !== true) return undefined;
      const timer = setInterval(() => void sql`select 1`.execute(tx).catch(() => {}), ALIVE_MS);
      try {
        return { result: await run() };
      } finally {
        clearInterval(timer);
      }
    });
    if (done !== undefined) return done.result;
    await sleep(RETRY_MS);
  }
}
