import { shellWord } from './shell-text.ts';

/** A file on the machine of the service with the secret of a client. */
export interface SecretFile {
  readonly path: string;
  /** `json`: the member `clientSecret`. `text`: the whole file. */
  readonly format: 'json' | 'text';
}

/**
 * A command for a POSIX shell that puts the secret in a file into the variable that curl commands and programs read. Only the path is an argument of
 * a program, because `ps` shows arguments to all users. A generated secret has no character that JSON escapes.
 */
export function secretCommand({ path, format }: SecretFile): string {
  const file = shellWord(path);
  const reading = format === 'text' ? `cat ${file}` : String.raw`sed -n 's/.*"clientSecret": "\(.*\)".*/\1/p' ${file}`;
  return `export TELECINE_CLIENT_SECRET=$(${reading})`;
}
