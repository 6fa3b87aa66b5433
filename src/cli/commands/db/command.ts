import type { Command } from 'commander';

/** Adds `telecine db` with its verbs. */
export function addDbCommand(telecine: Command): void {
  const db = telecine.command('db').description('look at the database, migrate it, or move to PostgreSQL');
  db.command('status')
    .description('print the database, its migrations and the number of jobs and clients')
    .option('--json', 'print JSON, for programs')
    .action(async (options: { json?: boolean }) => (await import('./run.ts')).printStatus(options));
  db.command('migrate')
    .description('migrate the database to this version; services do so when they start')
    .action(async () => (await import('./run.ts')).migrateDatabase());
  db.command('move')
    .description('copy the SQLite database of the data folder to the empty one of TELECINE_DATABASE_URL')
    .option('--undo', 'let services use the SQLite database again, after a move')
    .action(async ({ undo = false }: { undo?: boolean }) => {
      const { moveDatabase, undoMove } = await import('./run.ts');
      await (undo ? undoMove() : moveDatabase());
    });
}
