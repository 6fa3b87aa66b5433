import type { Command } from 'commander';

/** Adds `telecine catalogue` with its verb. */
export function addCatalogueCommand(telecine: Command): void {
  const catalogue = telecine.command('catalogue').description('what the installed ffmpeg offers');
  catalogue
    .command('prepare')
    .description('query ffmpeg, and write all that it offers to TELECINE_CATALOGUE_DIR, for quick first starts')
    .action(async () => (await import('./run.ts')).prepare());
}
