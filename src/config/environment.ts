import { type ClientConfig, readClientConfig } from './client-config.ts';
import { type Config, readConfig } from './config.ts';

/** The settings of this process; this file alone reads its environment. */
export const configFromEnvironment = (): Config => readConfig(process.env);

/** The settings of a command that talks to a service. `url` wins over the environment's. Throws `ConfigError`. */
export const clientConfigFromEnvironment = (url?: string): ClientConfig => readClientConfig(process.env, url);
