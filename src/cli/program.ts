import { Command } from 'commander';
import { addClientCommand } from './commands/client/command.ts';
import { addConvertCommand } from './commands/convert/command.ts';
import { addJobsCommand } from './commands/jobs/command.ts';
import { addMcpCommand } from './commands/mcp/command.ts';
import { addProbeCommand } from './commands/probe/command.ts';
import { EXIT } from './exit-codes.ts';
import { version } from './version.ts';

/** The command line. Each command loads what it needs when it is run. */
export function program(): Command {
  const telecine = new Command('telecine')
    .description('Self-hosted media conversion: JSON in, ffmpeg in the background, a real file out.')
    .version(version());
  telecine
    .command('serve')
    .description('serve the API and run conversions')
    .option('--no-worker', 'take and show jobs, but run none')
    .action(async (options: { worker: boolean }) => (await import('./commands/serve/serve.ts')).serve(options));
  telecine
    .command('doctor')
    .description('say what ffmpeg, sandbox, disk and store look like here, and how to mend each')
    .option('--json', 'print JSON, for programs')
    .action(async (options: { json?: boolean }) => (await import('./commands/doctor/doctor.ts')).doctor(options));
  addClientCommand(telecine, async () => (await import('./commands/client/open-clients.ts')).openClients());
  addConvertCommand(telecine);
  addJobsCommand(telecine);
  addProbeCommand(telecine);
  addMcpCommand(telecine);
  // Of the program itself, such as a word that is no command: those that were added end in their own ways.
  telecine.exitOverride(({ exitCode }) => process.exit(exitCode === EXIT.done ? EXIT.done : EXIT.refused));
  return telecine;
}
