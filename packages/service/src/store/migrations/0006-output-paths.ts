import { type Kysely, SqliteAdapter, sql } from 'kysely';

/**
 * Adds the paths between which the outputs of a part are, so that one output is found without reading all parts, and what
 * the files of a share have in common. By the default, a part can contain any path: earlier versions store no paths.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const text = db.getExecutor().adapter instanceof SqliteAdapter ? 'text' : 'text collate "C"';
  const statements = [
    `alter table job_outputs add column lowest_path ${text} not null default ''`,
    `alter table job_outputs add column highest_path ${text} not null default '\u{10ffff}'`,
    'create index job_outputs_by_path on job_outputs (job_id, highest_path, lowest_path)',
    `alter table shares add column folder ${text}`,
    'alter table shares add column size_bytes bigint',
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}
