import { CLIENT_SETTINGS } from './client-settings.ts';
import { ConfigError, type Environment, readSettings } from './read-settings.ts';
import { SETTINGS } from './settings.ts';

/** The settings of the client commands: the service, and the credentials if the environment has them. */
export interface ClientConfig {
  readonly url: string;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly clientSecretFile: string | undefined;
  readonly token: string | undefined;
  readonly webhookSecret: string | undefined;
  readonly webhookSecretFile: string | undefined;
  /** The data folder of a service on this machine, which contains the admin credentials. */
  readonly dataDir: string;
}

/**
 * Reads the settings of the client commands. Throws a `ConfigError` that lists every error.
 *
 * @param url The URL from the command line; it overrides TELECINE_URL.
 */
export function readClientConfig(env: Environment, url?: string): ClientConfig {
  const variables = url === undefined ? env : { ...env, TELECINE_URL: url };
  const { values, errors } = readSettings({ ...CLIENT_SETTINGS, dataDir: SETTINGS.dataDir }, variables);
  if (values.url === undefined || values.dataDir === undefined || errors.length > 0) {
    const text = errors.join('\n');
    throw new ConfigError(url === undefined ? text : text.replace('TELECINE_URL', '--url'));
  }
  return { ...values, url: values.url, dataDir: values.dataDir };
}
