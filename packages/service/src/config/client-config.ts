import { ConfigError, type Environment, readSettings, type ValuesOf } from './read-settings.ts';
import { FILE, optional, secret, setting, text, WEB_ADDRESS } from './setting.ts';
import { SETTINGS } from './settings.ts';

/**
 * The settings of client commands, such as `telecine convert`, `jobs`, `probe` and `mcp`: the address of the service,
 * and the credentials.
 */
export const CLIENT_SETTINGS = {
  url: setting(
    'TELECINE_URL',
    WEB_ADDRESS,
    'http://127.0.0.1:8080',
    'Address of the service. `--url` overrides it. The default has the port of `TELECINE_PORT`.',
  ),
  clientId: optional(
    'TELECINE_CLIENT_ID',
    text('a client id'),
    'Client id, as printed by `telecine client add`. It needs a secret: `TELECINE_CLIENT_SECRET` or `TELECINE_CLIENT_SECRET_FILE`.',
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
    'Secret with which `telecine webhook listen` verifies deliveries. Without it and without its file, the command reads it from standard input.',
  ),
  webhookSecretFile: optional(
    'TELECINE_WEBHOOK_SECRET_FILE',
    FILE,
    'File with the secret of webhooks, instead of the secret itself.',
  ),
  token: optional(
    'TELECINE_TOKEN',
    text('an access token'),
    'Access token obtained elsewhere. It overrides the client id and secret, and is not renewed.',
  ),
};

/** Also read the port of a service on this machine, and its data folder, which contains the admin credentials. */
const READ = { ...CLIENT_SETTINGS, port: SETTINGS.port, dataDir: SETTINGS.dataDir };

export type ClientConfig = ValuesOf<typeof READ>;

/** Reads the settings of client commands. `url` overrides TELECINE_URL. Throws a `ConfigError` with all errors. */
export function readClientConfig(env: Environment, url?: string): ClientConfig {
  const variables = url === undefined ? env : { ...env, TELECINE_URL: url };
  const { values, errors } = readSettings(READ, variables);
  // Port 0: the service picks one, which only its log tells.
  const isLocal = !variables['TELECINE_URL'] && values.port !== 0;
  if (errors.length === 0) return isLocal ? { ...values, url: `http://127.0.0.1:${values.port}` } : values;
  const lines = errors.join('\n');
  throw new ConfigError(url === undefined ? lines : lines.replace('TELECINE_URL', '--url'));
}
