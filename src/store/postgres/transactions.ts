import { type Kysely, sql } from 'kysely';
import type { Transactions } from '../../jobs/ports.ts';
import type { Schema } from '../schema.ts';
import { withTx } from '../transaction/tx.ts';
import { mustRunAgain } from './errors.ts';

/** How often a transaction runs that PostgreSQL rolls back because of others. */
const MAX_RUNS = 10;

export interface PostgresTransactions extends Transactions {
  /** Rejects new units, and resolves when the running ones are done. */
  close(): Promise<void>;
}

/** Runs each unit as a transaction of its own, with the isolation level READ COMMITTED. */
export function postgresTransactions(db: Kysely<Schema>): PostgresTransactions {
  const running = new Set<Promise<unknown>>();
  let closed = false;

  const runOnce: Transactions['run'] = (unit, { durable = true } = {}) =>
    db.transaction().execute(async (transaction) => {
      if (!durable) await sql`set local synchronous_commit to off`.execute(transaction);
      return withTx(transaction, unit);
    });

  const run: Transactions['run'] = async (unit, options) => {
    for (let runs = 1; ; runs += 1)
      try {
        return await runOnce(unit, options);
      } catch (error) {
        if (runs === MAX_RUNS || !mustRunAgain(error)) throw error;
      }
  };

  return {
    run: (unit, options) => {
      if (closed) return Promise.reject(new Error('The store is closed.'));
      const result = run(unit, options);
      running.add(result);
      const forget = (): void => void running.delete(result);
      result.then(forget, forget);
      return result;
    },
    async close() {
      closed = true;
      await Promise.allSettled(running);
    },
  };
}
