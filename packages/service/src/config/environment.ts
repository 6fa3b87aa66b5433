import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type ClientConfig, readClientConfig } from './client-config.ts';
import { type Config, readConfig, readLocalConfig } from './config.ts';
import type { Environment } from './read-settings.ts';

/** The settings of this process. No other file reads its environment. */
export const configFromEnvironment = (): Config => readConfig(process.env);

/** The settings of a client command. `url` overrides TELECINE_URL. Throws `ConfigError`. */
export const clientConfigFromEnvironment = (url?: string): ClientConfig => readClientConfig(process.env, url);

/** The folder for what commands of this user remember. Undefined if the user has no home folder. */
export const stateDirFromEnvironment = (): string | undefined => readStateDir(process.env);

/** The settings of a service for one command alone. Throws `ConfigError`. */
export const localConfigFromEnvironment = (folders: { readonly dataDir: string; readonly mediaRoot: string }): Config =>
  readLocalConfig(process.env, folders);

/**
 * The folder for the state of commands: `telecine` in XDG_STATE_HOME, unless it is relative
 * (https://specifications.freedesktop.org/basedir-spec), or in `~/.local/state`. Undefined for a user without a home folder, as in
 * some containers.
 */
export function readStateDir({ XDG_STATE_HOME: state, HOME: home = homeOfUser() }: Environment): string | undefined {
  if (state !== undefined && isAbsolute(state)) return join(state, 'telecine');
  return home === undefined || home === '' ? undefined : join(home, '.local', 'state', 'telecine');
}

/** `homedir` throws for a user that the system does not know. */
function homeOfUser(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}
