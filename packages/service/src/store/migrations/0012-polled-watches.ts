import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Removes the hours in which watches submitted jobs. The column `notification_hash` has no use any more. It stays, because services of the
 * previous version read it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const settings = isSqlite
    ? sql`json_remove(settings, '$.activeHours', '$.timeZone')`
    : sql`(settings::jsonb - 'activeHours' - 'timeZone')::text`;
  await sql`update watches set settings = ${settings} where settings like '%"activeHours"%' or settings like '%"timeZone"%'`.execute(
    db,
  );
  await sql`update watches set waiting_for = null where waiting_for = 'hours'`.execute(db);
}
