import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clients } from '../../auth/clients.ts';
import { ADMIN_CLIENT_FILE } from '../../config/secret-files.ts';
import { ADMIN_CLIENT_ID } from '../../domain/client.ts';

/** Writes the admin credentials to a file that only the user of the service can read. Returns its path. */
export function writeAdminClient(dataDir: string, client: { clientId: string; clientSecret: string }): string {
  const path = join(dataDir, ADMIN_CLIENT_FILE);
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(client, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
  return path;
}

export const removeAdminClient = (dataDir: string): void => rmSync(join(dataDir, ADMIN_CLIENT_FILE), { force: true });

/** Extends the operations so that `rotate` and `revoke` of the admin also update or delete the credentials file. */
export const withAdminFile = (clients: Clients, dataDir: string): Clients => ({
  ...clients,
  rotate: async (name) => {
    const rotated = await clients.rotate(name);
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
