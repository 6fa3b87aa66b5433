import type { IdempotencyStore } from '../jobs/ports/job-records.ts';
import { excluded, hasValues, removeInBatches } from './queries.ts';
import { type Database, dbOf } from './transaction/database.ts';
import { changedRows, compileStatement } from './transaction/statement.ts';

/** The maximum number of keys that one transaction deletes. Submissions wait for it, and a day may have many keys. */
const DELETE_BATCH = 1000;

const upsert = compileStatement(
  (db, p: { clientId: string; key: string; bodyHash: string; jobId: string; at: string; notBefore: string }) =>
    db
      .insertInto('idempotency_keys')
      .values({
        client_id: p.clientId,
        idempotency_key: p.key,
        body_hash: p.bodyHash,
        job_id: p.jobId,
        used_at: p.at,
      })
      .onConflict((c) =>
        c
          .columns(['client_id', 'idempotency_key'])
          .doUpdateSet(excluded('body_hash', 'job_id', 'used_at'))
          .where('idempotency_keys.used_at', '<', p.notBefore),
      ),
);

const read = compileStatement((db, p: { clientId: string; key: string; notBefore: string }) =>
  db
    .selectFrom('idempotency_keys')
    .select(['body_hash as bodyHash', 'job_id as jobId'])
    .where(hasValues<'idempotency_keys'>({ client_id: p.clientId, idempotency_key: p.key }))
    .where('used_at', '>=', p.notBefore),
);

export function idempotencyStore({ reader, write }: Database): IdempotencyStore {
  return {
    async insert(tx, use, notBefore) {
      const db = dbOf(tx);
      if (changedRows(await upsert(db, { ...use, notBefore }))) return undefined;
      return (await read(db, { ...use, notBefore })).rows[0];
    },

    async find(clientId, key, notBefore) {
      return (await read(reader, { clientId, key, notBefore })).rows[0];
    },

    async deleteBefore(before) {
      await removeInBatches({ write }, DELETE_BATCH, async (db) => {
        const old = await db
          .selectFrom('idempotency_keys')
          .select('used_at')
          .where('used_at', '<', before)
          .orderBy('used_at')
          .limit(DELETE_BATCH)
          .execute();
        const newest = old.at(-1);
        if (newest !== undefined)
          await db.deleteFrom('idempotency_keys').where('used_at', '<=', newest.used_at).execute();
        return old.length;
      });
    },
  };
}
