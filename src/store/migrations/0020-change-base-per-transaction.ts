import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Reads `change_base` once for each transaction, and no longer for each job that it stores: a query in the function costs
 * a submission 5 µs. The setting belongs to the transaction, so that a connection which a pooler gives to others has none.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof SqliteAdapter) return;
  await sql
    .raw(
      `create or replace function telecine_change_number() returns bigint language plpgsql volatile as $$
         declare base text := current_setting('telecine.change_base', true);
         begin
           if base is null or base = '' then
             base := (select change_base from installation);
             perform set_config('telecine.change_base', base, true);
           end if;
           return base::bigint + pg_current_xact_id()::text::bigint;
         end $$`,
    )
    .execute(db);
}
