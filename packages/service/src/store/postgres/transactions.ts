import { type Dialect, Kysely, sql } from 'kysely';
import type { Transactions } from '../../jobs/ports/transactions.ts';
import type { Schema } from '../schema.ts';
import { type Db, withTx } from '../transaction/database.ts';
import { isInFailedTransaction, mustRunAgain } from './outages.ts';

/** How many times a transaction runs, at most, if PostgreSQL rolls it back because of other transactions. */
const MAX_RUNS = 10;

/**
 * Runs each unit as a READ COMMITTED transaction. Statements that a unit starts together are sent together, in order,
 * in one round trip. (Kysely's own transactions would wait for each reply.) `dialect`: the dialect of `db`.
 */
export function postgresTransactions(db: Db, dialect: Dialect): Transactions & { close(): Promise<void> } {
  const driver = dialect.createDriver();
  const running = new Set<Promise<unknown>>();
  let closed = false;

  const runOnce: Transactions['run'] = (unit, { durable = true, isOneStatement = false } = {}) =>
    db.getExecutor().provideConnection(async (connection) => {
      let isOver = false;
      let isEnding = false;
      const failures: unknown[] = [];
      const executor = db.getExecutor().withConnectionProvider({
        async provideConnection(consumer) {
          // The transaction has ended if another statement that was started together with this one has failed.
          if (isOver) throw new Error('This transaction has ended. Use `tx` only until its unit has ended.');
          return consumer(connection).catch((error: unknown) => {
            failures.push(error);
            throw error;
          });
        },
      });
      // Wait for BEGIN. If it failed, each statement that was sent together with it would be a transaction of its own.
      if (!isOneStatement) await driver.beginTransaction(connection, {});
      try {
        const transaction = new Kysely<Schema>({ config: { dialect }, dialect, driver, executor });
        if (!durable) await sql`set local synchronous_commit to off`.execute(transaction);
        const result = await withTx(transaction, unit);
        isOver = true;
        isEnding = true;
        if (!isOneStatement) await driver.commitTransaction(connection);
        return result;
      } catch (error) {
        isOver = true;
        // Do not roll back after a COMMIT: a failed COMMIT also ends the transaction. The pool closes a connection that
        // is still in a transaction.
        if (!isEnding && !isOneStatement) await driver.rollbackTransaction(connection).catch(() => {});
        // Throw the failure that came first. A statement that failed only because of this failure may reject earlier.
        throw isInFailedTransaction(error) ? failures[0] : error;
      }
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
    /** Rejects new units. Resolves when the running units have ended. */
    async close() {
      closed = true;
      await Promise.allSettled(running);
    },
  };
}
