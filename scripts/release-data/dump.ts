import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { onPath } from '../setup/command.ts';
import { postgresPrograms } from '../setup/postgres.ts';

/** A large table that nothing needs later: each worker registers the catalogue of its ffmpeg when it starts. */
const LEFT_OUT = 'catalogues';

/** The statistics of pg-boss, in a partition for each day. */
const STATISTICS = 'queue_stats*';

const quoted = (name: string): string => `"${name}"`;

/** The content of an SQLite database as SQL: tables and rows first, then indexes and triggers, because triggers would change the rows. */
export function dumpSqlite(file: string): string {
  const db = new DatabaseSync(file);
  try {
    const schema = db
      .prepare(
        `select type, name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name`,
      )
      .all() as { type: string; name: string; sql: string }[];
    const ofType = (isWanted: (type: string) => boolean): readonly string[] =>
      schema.filter(({ type }) => isWanted(type)).map(({ sql }) => `${sql};`);
    const rows = schema
      .filter(({ type, name }) => type === 'table' && name !== LEFT_OUT)
      .flatMap(({ name }) => rowsOf(db, name));
    const isTable = (type: string): boolean => type === 'table';
    return `${[...ofType(isTable), ...rows, ...ofType((type) => !isTable(type))].join('\n')}\n`;
  } finally {
    db.close();
  }
}

function rowsOf(db: DatabaseSync, table: string): readonly string[] {
  const columns = db.prepare(`select name from pragma_table_info(?)`).all(table) as { name: string }[];
  const names = columns.map(({ name }) => quoted(name)).join(', ');
  const values = columns.map(({ name }) => `quote(${quoted(name)})`).join(` || ', ' || `);
  const rows = db.prepare(`select ${values} as row from ${quoted(table)} order by 1`).all() as { row: string }[];
  return rows.map(({ row }) => `insert into ${quoted(table)} (${names}) values (${row});`);
}

/** The content of a PostgreSQL database as SQL that every client can run, also on a newer server. */
export async function dumpPostgres(url: string): Promise<string> {
  const program = onPath('pg_dump') ?? join(postgresPrograms() ?? '', 'pg_dump');
  const without = [LEFT_OUT, STATISTICS].map((table) => `--exclude-table-data=*.${table}`);
  const args = ['--no-owner', '--no-privileges', '--column-inserts', ...without, url];
  const env = { ...process.env, PGTZ: 'UTC' };
  const { stdout } = await promisify(execFile)(program, args, { cwd: '/', env, maxBuffer: 64 * 1024 * 1024 });
  return (
    stdout
      // Remove settings that some versions lack, commands of psql, and comments, which name the versions.
      .replaceAll(/^(?:SET (?!standard_conforming_strings|check_function_bodies).*;|\\.*|--.*)\n/gm, '')
      .replaceAll(/\n{2,}/g, '\n')
      .trimStart()
  );
}
