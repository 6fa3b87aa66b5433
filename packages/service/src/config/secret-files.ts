import { readFileSync } from 'node:fs';
import { ConfigError } from './read-settings.ts';

/** The file in the data folder with the id and the secret of the admin client. The first start writes it. */
export const ADMIN_CLIENT_FILE = 'admin-client.json';

/** Reads a secret from a file of the operator. Removes the line break at its end, which editors add. */
export const readSecretFile = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');

/** Reads the secret from the file at `path`. `name`: the setting with this path. Throws `ConfigError`. */
export function readSecretSetting(name: string, path: string): string {
  try {
    return readSecretFile(path);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new ConfigError(
      `${name}: ${path} cannot be read (${code}). Set it to a file with the secret that this user can read, or unset it.`,
      { cause },
    );
  }
}
