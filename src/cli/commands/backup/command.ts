import type { Command } from 'commander';

/** Adds `telecine backup` and `telecine restore`. */
export function addBackupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('copy the SQLite database of the data folder to a new file, while the service runs')
    .action(async (file: string) => (await import('./run.ts')).backupDatabase(file));
  program
    .command('restore <file>')
    .description('make a backup the SQLite database of the data folder; the service must be stopped')
    .option('--replace', 'keep the existing database under another name instead of refusing')
    .action(async (file: string, options: { replace?: boolean }) =>
      (await import('./run.ts')).restoreDatabase(file, options),
    );
}
