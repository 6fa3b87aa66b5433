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
export function readSecretFile(path: string): string {
  const secret = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
  if (secret.length < 16) throw new Error(`TELECINE_ADMIN_SECRET_FILE: the secret in ${path} has fewer than 16 characters`);
  return secret;
}
