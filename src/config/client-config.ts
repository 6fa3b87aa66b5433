import { ConfigError, type Environment, readSettings } from './read-settings.ts';
import { FILE, optional, secret, setting, text, WEB_ADDRESS } from './setting.ts';
import { SETTINGS } from './settings.ts';

/** Settings of `telecine convert`, `jobs`, `probe` and `mcp`: the service and the credentials. */
export const CLIENT_SETTINGS = {
  url: setting('TELECINE_URL', WEB_ADDRESS, 'http://127.0.0.1:8080', 'Address of the service. `--url` overrides it.'),
  clientId: optional(
    'TELECINE_CLIENT_ID',
    text('a client id'),
    'Client id, as printed by `telecine client add`. Requires a secret, see below.',
  ),
  clientSecret: optional('TELECINE_CLIENT_SECRET', text('a secret'), 'Secret of the client.'),
  clientSecretFile: optional(
    'TELECINE_CLIENT_SECRET_FILE',
    FILE,
    'File with the secret, instead of the secret itself.',
  ),
  webhookSecret: optional(
    'TELECINE_WEBHOOK_SECRET',
    secret(text('a secret such as whsec_…')),
    'Secret with which `telecine webhook listen` verifies. Without it and a file, it is read from standard input.',
  ),
  webhookSecretFile: optional(
    'TELECINE_WEBHOOK_SECRET_FILE',
    FILE,
    'File with that secret, instead of the secret itself.',
  ),
  token: optional(
    'TELECINE_TOKEN',
    text('an access token'),
    'Access token obtained elsewhere. It overrides the client id and secret, and is not renewed.',
  ),
};

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
