import type { Config } from '@telecine/service/config/config.ts';
import { configFromEnvironment } from '@telecine/service/config/environment.ts';
import { ConfigError } from '@telecine/service/config/read-settings.ts';
import { discoverTools } from '@telecine/service/start/discover-tools.ts';
import type { Role } from '@telecine/service/start/service.ts';
import type { Command } from 'commander';

interface ServeFlags {
  readonly worker: boolean;
  /** Whether each start prints a link that signs in. Default: only the first start prints it, and only at a terminal. */
  readonly signInLink?: boolean;
}

/** Declares `telecine serve`, which serves the API until SIGTERM or SIGINT. A second signal ends the process immediately. */
export function declare(serve: Command): void {
  serve
    .option(
      '--no-worker',
      'accept and show jobs, but run none; on PostgreSQL, workers run them, and no ffmpeg is needed',
    )
    .option(
      '--sign-in-link',
      'print a link that signs in to the console once; only if the service listens on this machine alone',
    )
    .action(({ worker, signInLink = false }: ServeFlags) =>
      run(worker ? 'all' : 'api', configFromEnvironment(), signInLink),
    );
}

/**
 * Declares `telecine worker`, which runs jobs without an API until SIGTERM or SIGINT. Throws `ConfigError` on SQLite, because only one
 * process can use a SQLite database.
 */
export function declareWorker(worker: Command): void {
  worker.action(async () => {
    const config = configFromEnvironment();
    if (config.databaseUrl === undefined)
      throw new ConfigError(
        'TELECINE_DATABASE_URL: a worker needs the PostgreSQL database of the services whose jobs it runs. Set it, or run "telecine serve", which runs jobs itself.',
      );
    await run('worker', config, false);
  });
}

/** Loads the code of the service while ffmpeg answers the first queries. */
async function run(role: Role, config: Config, printsLink: boolean): Promise<void> {
  const discoveredTools = await discoverTools(config);
  const { runService } = await import('./serve/run-service.ts');
  await runService(role, config, { discoveredTools, printsLink });
}
