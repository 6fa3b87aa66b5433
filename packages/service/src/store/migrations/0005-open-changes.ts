import { type Kysely, sql } from 'kysely';

/** Adds the transactions whose changes the texts of jobs do not contain, because they were open when the texts were written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table job_text_position add column open_changes text not null default '[]'`.execute(db);
}
