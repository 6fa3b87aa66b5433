import type { Config } from '../../../config/config.ts';
import { configFromEnvironment } from '../../../config/environment.ts';
import { ConfigError } from '../../../config/read-settings.ts';
import { discoverTools } from '../../compose/discover-tools.ts';
import type { Role } from '../../compose/service.ts';

export interface ServeOptions {
  readonly worker: boolean;
  /** Whether a link that signs in is printed at each start. Default: at the first one, at a terminal. */
  readonly signInLink?: boolean;
}

/** Serves the API until SIGTERM or SIGINT. A second signal ends the process at once. */
export const serve = ({ worker, signInLink = false }: ServeOptions): Promise<void> =>
  run(worker ? 'all' : 'api', configFromEnvironment(), signInLink);

/** Runs jobs without an API until SIGTERM or SIGINT. Throws `ConfigError` on SQLite, which one process uses alone. */
export async function work(): Promise<void> {
  const config = configFromEnvironment();
  if (config.databaseUrl === undefined)
    throw new ConfigError(
      'TELECINE_DATABASE_URL: a worker needs the PostgreSQL database of the services whose jobs it runs. Set it, or run "telecine serve", which runs jobs itself.',
    );
  await run('worker', config, false);
}

/** Loads the service while ffmpeg answers. */
async function run(role: Role, config: Config, printsLink: boolean): Promise<void> {
  const discoveredTools = await discoverTools(config);
  const { runService } = await import('./run-service.ts');
  await runService(role, config, { discoveredTools, printsLink });
}
