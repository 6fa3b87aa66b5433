import type { Command } from 'commander';
import { addServiceOptions, progressOption } from '../../session/command-options.ts';
import type { UploadFlags } from '../../session/flags.ts';

/** Adds `telecine upload` to the program. */
export function addUploadCommand(program: Command): void {
  const upload = program
    .command('upload <files...>')
    .description('upload files to the media root of the service; the same command continues after an interruption')
    .option(
      '--to <path>',
      'the path of the file in the media root; for several files, or with a slash at the end, their folder',
    )
    .option('-y', 'replace existing files')
    .addOption(progressOption())
    .option('--quiet', 'print errors only')
    .action(async (files: string[], flags: UploadFlags) => (await import('./run.ts')).uploadCommand(files, flags));
  addServiceOptions(upload);
}
