import { Command } from 'commander';
import { addAnalyzeCommand } from './commands/analyze/command.ts';
import { addAuditCommand } from './commands/audit/command.ts';
import { addBackupCommands } from './commands/backup/command.ts';
import { addCatalogueCommand } from './commands/catalogue/command.ts';
import { addClientCommand } from './commands/client/command.ts';
import { addConvertCommand } from './commands/convert/command.ts';
import { addDbCommand } from './commands/db/command.ts';
import { addJobsCommand } from './commands/jobs/command.ts';
import { addMcpCommand } from './commands/mcp/command.ts';
import { addPreviewCommand } from './commands/preview/command.ts';
import { addProbeCommand } from './commands/probe/command.ts';
import { addQueueCommand } from './commands/queue/command.ts';
import { addRecipesCommand } from './commands/recipes/command.ts';
import type { ServeOptions } from './commands/serve/serve.ts';
import { addUploadCommand } from './commands/upload/command.ts';
import { addUsageCommand } from './commands/usage/command.ts';
import { addWebhookCommand } from './commands/webhook/command.ts';
import { addWorkersCommand } from './commands/workers/command.ts';
import { EXIT } from './exit-codes.ts';
import { version } from './version.ts';

/** Builds the command line. Each command imports its code when it runs. */
export function program(): Command {
  const telecine = new Command('telecine')
    .description('Self-hosted media conversion: JSON in, ffmpeg in the background, a real file out.')
    .version(version());
  telecine
    .command('serve')
    .description('serve the API and run conversions')
    .option(
      '--no-worker',
      'accept and show jobs, but run none; on PostgreSQL, workers run them, and no ffmpeg is needed',
    )
    .option(
      '--sign-in-link',
      'print a link that signs in to the console once; only if the service listens on this machine alone',
    )
    .action(async (options: ServeOptions) => (await import('./commands/serve/serve.ts')).serve(options));
  telecine
    .command('worker')
    .description(
      'run conversions of services on the same PostgreSQL database; serves only /health, /ready and /metrics',
    )
    .action(async () => (await import('./commands/serve/serve.ts')).work());
  telecine
    .command('doctor')
    .description('check Node, settings, ffmpeg, sandbox, store and media root, and say how to fix each')
    .option('--json', 'print JSON, for programs')
    .option('--worker', 'check what telecine worker needs')
    .option('--no-worker', 'check what telecine serve --no-worker needs: on PostgreSQL, workers instead of ffmpeg')
    .option('--url <address>', 'let the service there check itself (needs the scope admin)')
    .action(async ({ url, ...options }: { url?: string; json?: boolean; worker?: boolean }) =>
      url === undefined
        ? (await import('./commands/doctor/doctor.ts')).doctor(options)
        : (await import('./commands/doctor/remote-doctor.ts')).remoteDoctor({ url, ...options }),
    );
  addClientCommand(telecine, async () => (await import('./commands/client/open-clients.ts')).openClients());
  addDbCommand(telecine);
  addBackupCommands(telecine);
  addCatalogueCommand(telecine);
  addAnalyzeCommand(telecine);
  addConvertCommand(telecine);
  addJobsCommand(telecine);
  addPreviewCommand(telecine);
  addProbeCommand(telecine);
  addQueueCommand(telecine);
  addRecipesCommand(telecine);
  addUploadCommand(telecine);
  addUsageCommand(telecine);
  addWebhookCommand(telecine);
  addWorkersCommand(telecine);
  addAuditCommand(telecine);
  addMcpCommand(telecine);
  // This is for errors of the program itself, such as an unknown command. The commands set their own exit codes.
  telecine.exitOverride(({ exitCode }) => process.exit(exitCode === EXIT.done ? EXIT.done : EXIT.refused));
  return telecine;
}
