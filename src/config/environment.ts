import { type ClientConfig, readClientConfig } from './client-config.ts';
import { type Config, readConfig } from './config.ts';
import { readLocalConfig } from './local-config.ts';
import { readStateDir } from './state-dir.ts';

/** The settings of this process. No other file reads its environment. */
export const configFromEnvironment = (): Config => readConfig(process.env);

/** The settings of a client command. `url` overrides TELECINE_URL. Throws `ConfigError`. */
export const clientConfigFromEnvironment = (url?: string): ClientConfig => readClientConfig(process.env, url);

/** The folder for what commands of this user remember. Undefined if the user has no home folder. */
export const stateDirFromEnvironment = (): string | undefined => readStateDir(process.env);

/** The settings of a service for one command alone. Throws `ConfigError`. */
export const localConfigFromEnvironment = (folders: { readonly dataDir: string; readonly mediaRoot: string }): Config =>
  readLocalConfig(process.env, folders);
