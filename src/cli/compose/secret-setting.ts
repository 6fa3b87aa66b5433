import { ConfigError } from '../../config/read-settings.ts';
import { readSecretFile } from '../../config/secret-files.ts';

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
