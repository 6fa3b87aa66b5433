import { type ExpressionBuilder, sql } from 'kysely';
import type { TaskStore, TaskTurns } from '../workers/ports/task-store.ts';
import { hasValues, rowsChanged, updateRows } from './queries.ts';
import type { Schema } from './schema.ts';
import type { Database, Db } from './transaction/database.ts';

const NO_TURNS: TaskTurns = { full: [], served: [] };

/** Stores tasks. Not durable: if a crash undoes a write, the caller of the task gets no result before the deadline. */
export function taskStore({ reader, write: writeDurably, now }: Database): TaskStore {
  const write = <T>(unit: (db: Db) => Promise<T>): Promise<T> => writeDurably(unit, { durable: false });

  const isOpen = (e: ExpressionBuilder<Schema, 'tasks'>) =>
    e.and([
      e('result', 'is', null),
      e('deadline_at', '>', now()),
      e.or([e('leased_until', 'is', null), e('leased_until', '<', now())]),
    ]);

  /** Selects the tasks that no worker has, the oldest first. Tasks of clients in `served` come after all others. */
  const open = (kind: string, { full, served }: TaskTurns) =>
    reader
      .selectFrom('tasks')
      .select(['task_id as taskId', 'kind', 'client_id as clientId', 'request'])
      .where('kind', '=', kind)
      .$if(full.length > 0, (query) => query.where('client_id', 'not in', full))
      .where(isOpen)
      .$if(served.length > 0, (query) =>
        query.orderBy((e) => e.case().when('client_id', 'in', served).then(1).else(0).end()),
      )
      .orderBy('task_id')
      .limit(sql.lit(1));

  return {
    async add({ taskId, kind, clientId, request }, seconds) {
      const row = { task_id: taskId, kind, client_id: clientId, request, deadline_at: now(seconds) };
      await write((db) => db.insertInto('tasks').values(row).execute());
    },

    take: async (kind, workerId, leaseSeconds, turns = NO_TURNS) => {
      for (;;) {
        const task = await open(kind, turns).executeTakeFirst();
        if (task === undefined) return undefined;
        const { taskId } = task;
        const taken = await write((db) => {
          const lease = db
            .updateTable('tasks')
            .set({ worker_id: workerId, leased_until: now(leaseSeconds) })
            .where(hasValues<'tasks'>({ task_id: taskId, result: null }))
            .where((e) => e.or([e('leased_until', 'is', null), e('leased_until', '<', now())]));
          return rowsChanged(db, lease);
        });
        if (taken > 0) return task;
      }
    },

    openKinds: async (kinds) => {
      const rows = await reader
        .selectFrom('tasks')
        .select('kind')
        .distinct()
        .where('kind', 'in', kinds)
        .where(isOpen)
        .execute();
      return rows.map(({ kind }) => kind);
    },

    renew: (taskId, workerId, leaseSeconds) =>
      write(async (db) => {
        const values = { task_id: taskId, worker_id: workerId };
        return (await updateRows(db, 'tasks', { leased_until: now(leaseSeconds) }, values)) > 0;
      }),

    async finish(taskId, workerId, result) {
      await write((db) => updateRows(db, 'tasks', { result }, { task_id: taskId, worker_id: workerId }));
    },

    result: async (taskId) =>
      (await reader.selectFrom('tasks').select('result').where('task_id', '=', taskId).executeTakeFirst())?.result ??
      undefined,

    remove: (taskId) =>
      write(async (db) => {
        const removed = await db
          .deleteFrom('tasks')
          .where('task_id', '=', taskId)
          .returning('worker_id')
          .executeTakeFirst();
        return removed?.worker_id === null;
      }),

    async removeExpired() {
      await write((db) => db.deleteFrom('tasks').where('deadline_at', '<', now()).execute());
    },
  };
}
