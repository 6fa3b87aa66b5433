import { type Kysely, sql } from 'kysely';
import type { OpenTask, TaskStore } from '../workers/ports.ts';
import type { Schema } from './schema.ts';
import type { Database } from './transaction/database.ts';
import { dbOf } from './transaction/tx.ts';

/**
 * The repository of tasks. A crash may undo its writes: then whoever waits for a task gets no result before its deadline.
 */
export function taskStore({ reader, transactions, now }: Database): TaskStore {
  const write = <T>(unit: (db: Kysely<Schema>) => Promise<T>): Promise<T> =>
    transactions.run((tx) => unit(dbOf(tx)), { durable: false });

  /** The tasks that nobody has, oldest first. */
  const open = (kinds: readonly string[]) =>
    reader
      .selectFrom('tasks')
      .select(['task_id', 'kind', 'client_id', 'request'])
      .where('kind', 'in', kinds)
      .where('result', 'is', null)
      .where('deadline_at', '>', now())
      .where((e) => e.or([e('leased_until', 'is', null), e('leased_until', '<', now())]))
      .orderBy('task_id')
      .limit(sql.lit(1));

  return {
    add: ({ taskId, kind, clientId, request }, seconds) =>
      write(async (db) => {
        await db
          .insertInto('tasks')
          .values({ task_id: taskId, kind, client_id: clientId, request, deadline_at: now(seconds) })
          .execute();
      }),

    take: async (kinds, workerId, leaseSeconds) => {
      // A read first, because workers ask several times a second, and there is seldom a task.
      for (let row = await open(kinds).executeTakeFirst(); row; row = await open(kinds).executeTakeFirst()) {
        const { task_id: taskId } = row;
        const isTaken = await write(async (db) => {
          const { numUpdatedRows } = await db
            .updateTable('tasks')
            .set({ worker_id: workerId, leased_until: now(leaseSeconds) })
            .where('task_id', '=', taskId)
            .where('result', 'is', null)
            .where((e) => e.or([e('leased_until', 'is', null), e('leased_until', '<', now())]))
            .executeTakeFirst();
          return numUpdatedRows > 0n;
        });
        if (isTaken)
          return { taskId, kind: row.kind, clientId: row.client_id, request: row.request } satisfies OpenTask;
      }
      return undefined;
    },

    renew: (taskId, workerId, leaseSeconds) =>
      write(async (db) => {
        const { numUpdatedRows } = await db
          .updateTable('tasks')
          .set({ leased_until: now(leaseSeconds) })
          .where('task_id', '=', taskId)
          .where('worker_id', '=', workerId)
          .executeTakeFirst();
        return numUpdatedRows > 0n;
      }),

    finish: (taskId, workerId, result) =>
      write(async (db) => {
        await db
          .updateTable('tasks')
          .set({ result })
          .where('task_id', '=', taskId)
          .where('worker_id', '=', workerId)
          .execute();
      }),

    result: async (taskId) =>
      (await reader.selectFrom('tasks').select('result').where('task_id', '=', taskId).executeTakeFirst())?.result ??
      undefined,

    remove: (taskId) =>
      write(async (db) => {
        await db.deleteFrom('tasks').where('task_id', '=', taskId).execute();
      }),

    removeExpired: () =>
      write(async (db) => {
        await db.deleteFrom('tasks').where('deadline_at', '<', now()).execute();
      }),
  };
}
