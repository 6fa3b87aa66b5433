import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_CLIENT_ID } from '@telecine/contract/domain/client.ts';
import { mergeClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { lazily } from '@telecine/contract/domain/remember.ts';
import type { SecretFile } from '@telecine/contract/domain/secret-command.ts';
import { type ClientAdministration, clientAdministration } from '../auth/client-administration.ts';
import { type Clients, createClients } from '../auth/clients.ts';
import { readClientLimits } from '../config/client-limits.ts';
import type { Config } from '../config/config.ts';
import { ADMIN_CLIENT_FILE } from '../config/secret-files.ts';
import { urlInputs } from '../media/urls/url-failures.ts';
import type { Store } from '../store/store.ts';
import { clientRoots } from './client-roots.ts';

/** Lets administrators manage clients over HTTP. Opens the media roots at the first call, because most services get no such call. */
export function openClientAdministration(
  config: Config,
  store: Pick<Store, 'clients' | 'refreshTokens'>,
): ClientAdministration {
  const defaultLimits = {
    ...mergeClientLimits({}, config.clientLimits),
    // What the service fetches from nowhere, no client may name.
    ...(urlInputs(config.inputUrls) === undefined && { urls: 0 }),
    ...(config.storageBuckets === undefined && { buckets: 0 }),
  };
  let current: ClientAdministration | undefined;
  const open = lazily(async () => {
    const roots = await clientRoots(config);
    const clients = withAdminFile(createClients({ ...store, now: Date.now }), config.dataDir);
    const opened = clientAdministration({ clients, roots, readLimits: readClientLimits, defaultLimits });
    current = opened;
    return async () => opened;
  });
  return {
    defaultLimits,
    add: async (...args) => (await open()).add(...args),
    get: async (...args) => (await open()).get(...args),
    list: async () => (await open()).list(),
    change: async (...args) => (await open()).change(...args),
    rotate: async (...args) => (await open()).rotate(...args),
    revoke: async (...args) => (await open()).revoke(...args),
    // Callers get the client from one of the methods above, and each of these methods sets `current`.
    shownRoot: (client) => current?.shownRoot(client) ?? '',
  };
}

/** Writes the admin credentials to a file that only the user of the service can read. */
export function writeAdminClient(dataDir: string, client: { clientId: string; clientSecret: string }): void {
  const path = join(dataDir, ADMIN_CLIENT_FILE);
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(client, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
}

export const removeAdminClient = (dataDir: string): void => rmSync(join(dataDir, ADMIN_CLIENT_FILE), { force: true });

/** Finds the secret of the admin client on this machine. undefined: another machine has it, or it was deleted. */
export async function findAdminSecret({
  adminSecretFile,
  dataDir,
}: Pick<Config, 'adminSecretFile' | 'dataDir'>): Promise<SecretFile | undefined> {
  if (adminSecretFile !== undefined) return { path: adminSecretFile, format: 'text' };
  const path = join(dataDir, ADMIN_CLIENT_FILE);
  return access(path).then(
    () => ({ path, format: 'json' }) as const,
    () => undefined,
  );
}

/** Wraps the operations on clients. If the admin's secret is rotated or the admin is revoked, updates or deletes the credentials file. */
export const withAdminFile = (clients: Clients, dataDir: string): Clients => ({
  ...clients,
  rotate: async (name, graceHours) => {
    const rotated = await clients.rotate(name, graceHours);
    if (name === ADMIN_CLIENT_ID && existsSync(join(dataDir, ADMIN_CLIENT_FILE)))
      writeAdminClient(dataDir, { clientId: name, clientSecret: rotated.clientSecret });
    return rotated;
  },
  revoke: async (name, rule) => {
    const revoked = await clients.revoke(name, rule);
    if (name === ADMIN_CLIENT_ID) removeAdminClient(dataDir);
    return revoked;
  },
});
