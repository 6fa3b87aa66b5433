import { type Kysely, sql } from 'kysely';

/** Removes what no watch has any more: requests for scans, times of events, the state DRAINING and its event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['asked_at', 'attention_at', 'attention_due'])
    await db.schema.alterTable('watches').dropColumn(column).execute();
  await sql`update watches set state = 'PAUSED' where state = 'DRAINING'`.execute(db);
  // The texts are those of JSON.stringify.
  for (const member of [`"watch.drained",`, `,"watch.drained"`, `"watch.drained"`])
    await sql`update webhook_endpoints set events = replace(events, ${member}, '') where events is not null`.execute(
      db,
    );
  // An endpoint without events would look as if it got some.
  await sql`update webhook_endpoints set disabled_at = ${new Date().toISOString()} where events = '[]' and disabled_at is null`.execute(
    db,
  );
}
