import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNodeClient, type NodeClient } from '@telecine/client/node/node-client.ts';
import type { ClientAuth } from '@telecine/client/options.ts';
import type { ClientConfig } from '@telecine/service/config/client-config.ts';
import { clientConfigFromEnvironment } from '@telecine/service/config/environment.ts';
import { ADMIN_CLIENT_FILE, readSecretFile } from '@telecine/service/config/secret-files.ts';
import { isLoopback } from '@telecine/service/config/setting.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandFailed } from './command-failed.ts';

/** The service to call, and the credentials for it. */
interface ServiceCredentials {
  readonly url: string;
  readonly credentials: ClientAuth;
}

/** Reads the URL and the credentials from the environment. `url` overrides the URL. Throws `CommandFailed` if there are no credentials. */
export function readCredentials(url: string | undefined): ServiceCredentials {
  const config = clientConfigFromEnvironment(url);
  return { url: config.url, credentials: credentialsOf(config) };
}

/** Creates a client of the service. Throws the errors of `readCredentials`. */
export function connect(url: string | undefined): NodeClient {
  const { url: address, credentials } = readCredentials(url);
  return createNodeClient(address, credentials);
}

function credentialsOf(config: ClientConfig): ClientAuth {
  const { token, clientId, clientSecret, clientSecretFile } = config;
  if (token !== undefined) return { accessToken: token };
  const secret = clientSecret ?? (clientSecretFile === undefined ? undefined : secretIn(clientSecretFile));
  if (clientId !== undefined && secret !== undefined) return { clientId, clientSecret: secret };
  if (clientId !== undefined)
    throw unknown(
      'TELECINE_CLIENT_ID is set without a secret.',
      'Set TELECINE_CLIENT_SECRET_FILE or TELECINE_CLIENT_SECRET.',
    );
  if (secret !== undefined)
    throw unknown('TELECINE_CLIENT_SECRET is set without a client id.', 'Set TELECINE_CLIENT_ID.');
  return localAdmin(config);
}

const HOW = 'Set TELECINE_CLIENT_ID and TELECINE_CLIENT_SECRET_FILE; "telecine client add" creates a client.';

/** Reads the admin credentials from the data folder of a service on this machine. Never sends them to another machine. */
function localAdmin({ url, dataDir }: ClientConfig): ClientAuth {
  if (!isLoopback(new URL(url).hostname)) throw unknown(`There are no credentials for ${url}.`, HOW);
  const file = join(dataDir, ADMIN_CLIENT_FILE);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ClientAuth;
  } catch (cause) {
    const fix = `${HOW} Or set TELECINE_DATA_DIR to the data folder of the service on this machine.`;
    throw unknown(`There are no credentials for ${url}, and ${file} cannot be read.`, fix, cause);
  }
}

function secretIn(file: string): string {
  try {
    return readSecretFile(file);
  } catch (cause) {
    throw unknown(`${file} cannot be read.`, 'Set TELECINE_CLIENT_SECRET_FILE to a file with the secret.', cause);
  }
}

const unknown = (message: string, fix: string, cause?: unknown): CommandFailed =>
  new CommandFailed(EXIT.unauthorised, 'NO_CREDENTIALS', message, { fix, cause });
