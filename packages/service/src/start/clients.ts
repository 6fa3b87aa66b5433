import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ADMIN_CLIENT_ID } from '@telecine/contract/domain/client.ts';
import { mergeClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { lazily } from '@telecine/contract/domain/remember.ts';
import type { SecretFile } from '@telecine/contract/domain/secret-command.ts';
import { type ClientAdministration, clientAdministration } from '../auth/client-administration.ts';
import { type Clients, createClients } from '../auth/clients.ts';
import type { ClientStore } from '../auth/ports.ts';
import { matchesSecret } from '../auth/secrets.ts';
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

/**
 * Creates the search for the file with the secret of the admin client. It finds none if another machine has it, and if the secret in it is no
 * longer that of the client: another machine, or a rotation over HTTP beside TELECINE_ADMIN_SECRET_FILE, has replaced it.
 */
export function adminSecretFinder(
  { adminSecretFile, dataDir }: Pick<Config, 'adminSecretFile' | 'dataDir'>,
  clients: Pick<ClientStore, 'get'>,
): () => Promise<SecretFile | undefined> {
  const file: SecretFile =
    adminSecretFile === undefined
      ? { path: join(dataDir, ADMIN_CLIENT_FILE), format: 'json' }
      : { path: adminSecretFile, format: 'text' };
  /** The last comparison: that with a secret which the operator has chosen takes long. */
  let last: { readonly secret: string; readonly hash: string | undefined; readonly isSame: boolean } | undefined;
  return async () => {
    const secret = await readSecret(file).catch(() => undefined);
    if (secret === undefined) return undefined;
    const hash = (await clients.get(ADMIN_CLIENT_ID))?.secretHash;
    if (last?.secret !== secret || last.hash !== hash)
      last = { secret, hash, isSame: await matchesSecret(secret, hash) };
    return last.isSame ? file : undefined;
  };
}

async function readSecret({ path, format }: SecretFile): Promise<string> {
  const text = await readFile(path, 'utf8');
  return format === 'json' ? String(JSON.parse(text).clientSecret) : text.replace(/\r?\n$/, '');
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
