import { readFileSync } from 'node:fs';
import { ConfigError } from './read-settings.ts';

/** The file in the data folder to which the first start writes the id and the secret of the admin client. */
export const ADMIN_CLIENT_FILE = 'admin-client.json';

/** Reads a secret from an operator's file, without the line break that editors add at the end. */
export const readSecretFile = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');

/** Reads the secret in the file at `path`, which the setting `name` names. Throws `ConfigError`. */
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
