import { mkdir, realpath } from 'node:fs/promises';
import { Command } from 'commander';
import { configFromEnvironment } from '../config/environment.ts';
import { addClientCommand } from './client.ts';
import { ownPlaces } from './own-places.ts';
import { openStore } from './store.ts';
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
    .action(async (options: { worker: boolean }) => (await import('./serve.ts')).serve(options));
  telecine
    .command('doctor')
    .description('say what ffmpeg, sandbox, disk and store look like here, and how to mend each')
    .option('--json', 'print JSON, for programs')
    .action(async (options: { json?: boolean }) => (await import('./doctor.ts')).doctor(options));
  addClientCommand(telecine, openClients);
  return telecine;
}

async function openClients() {
  const config = configFromEnvironment();
  const { createClients } = await import('../auth/clients.ts');
  const { withAdminFile } = await import('./admin-client.ts');
  const store = await openStore(config);
  await mkdir(config.mediaRoot, { recursive: true });
  const mediaRoot = await realpath(config.mediaRoot);
  return {
    clients: withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir),
    mediaRoot,
    own: ownPlaces(config),
    close: () => store.close(),
  };
}
