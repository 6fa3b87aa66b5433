import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type ClientConfig, readClientConfig } from './client-config.ts';
import { type Config, readConfig, readLocalConfig } from './config.ts';
import type { Environment } from './read-settings.ts';

/** Reads the settings of the service. No other file reads the environment. */
export const configFromEnvironment = (): Config => readConfig(process.env);

/** Reads the settings of a client command. `url` overrides TELECINE_URL. Throws `ConfigError`. */
export const clientConfigFromEnvironment = (url?: string): ClientConfig => readClientConfig(process.env, url);

/** Returns the folder in which commands of this user store their state. undefined: the user has no home folder. */
export const stateDirFromEnvironment = (): string | undefined => readStateDir(process.env);

/** Reads the settings of a service that runs for only one command. Throws `ConfigError`. */
export const localConfigFromEnvironment = (folders: { readonly dataDir: string; readonly mediaRoot: string }): Config =>
  readLocalConfig(process.env, folders);

/** Returns how many threads libuv has for files. It reads UV_THREADPOOL_SIZE itself. */
export const threadsFromEnvironment = (): number => readThreads(process.env);

/** Like libuv: a text that is not a number counts as 1, and there are 1024 at most. */
export const readThreads = ({ UV_THREADPOOL_SIZE: text }: Environment): number =>
  text === undefined ? 4 : Math.min(1024, Math.max(1, Number.parseInt(text, 10) || 1));

/**
 * Returns the folder for the state of commands: `telecine` in XDG_STATE_HOME or in `~/.local/state`. A relative
 * XDG_STATE_HOME is ignored (https://specifications.freedesktop.org/basedir-spec). undefined: the user has no home
 * folder, as in some containers.
 */
export function readStateDir({ XDG_STATE_HOME: state, HOME: home = homeOfUser() }: Environment): string | undefined {
  if (state !== undefined && isAbsolute(state)) return join(state, 'telecine');
  return home === undefined || home === '' ? undefined : join(home, '.local', 'state', 'telecine');
}

/** Returns undefined if the system does not know the user: then `homedir` throws. */
function homeOfUser(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}
