import { readFileSync } from 'node:fs';
import { ConfigError } from './read-settings.ts';

/** The file in the data folder with the id and the secret of the admin client, which the first start writes. */
export const ADMIN_CLIENT_FILE = 'admin-client.json';

/** Reads a secret from a file of the operator, without the line break that editors add at its end. */
export const readSecretFile = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');

/** Reads a secret from a file. `name`: the setting that contains `path`, for the error. Throws `ConfigError`. */
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
