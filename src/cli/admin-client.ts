import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file that a first start leaves: who the administrator is. */
export const ADMIN_CLIENT_FILE = 'admin-client.json';

/** Writes the admin client where only the service's user can read it; returns the path. */
export function writeAdminClient(dataDir: string, client: { clientId: string; clientSecret: string }): string {
  const path = join(dataDir, ADMIN_CLIENT_FILE);
  const temporary = `${path}.new`;
  writeFileSync(temporary, `${JSON.stringify(client, null, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(temporary, path);
  return path;
}

/** The secret in the operator's file, without the line break that editors add. */
export const readSecretFile = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
