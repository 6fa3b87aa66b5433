import { CLIENT_SETTINGS } from './client-settings.ts';
import { ConfigError, type Environment, readSettings } from './read-settings.ts';
import { SETTINGS } from './settings.ts';

/** Where the service is and who calls, as far as the environment tells. */
export interface ClientConfig {
  readonly url: string;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly clientSecretFile: string | undefined;
  readonly token: string | undefined;
  /** Where a service on this machine keeps its admin client. */
  readonly dataDir: string;
}

/** `url`: what the command line says, which wins. Throws `ConfigError` with every fault at once. */
export function readClientConfig(env: Environment, url?: string): ClientConfig {
  const given = url === undefined ? env : { ...env, TELECINE_URL: url };
  const { values, faults } = readSettings({ ...CLIENT_SETTINGS, dataDir: SETTINGS.dataDir }, given);
  if (values.url === undefined || values.dataDir === undefined || faults.length > 0) {
    const said = faults.join('\n');
    throw new ConfigError(url === undefined ? said : said.replace('TELECINE_URL', '--url'));
  }
  return { ...values, url: values.url, dataDir: values.dataDir };
}
