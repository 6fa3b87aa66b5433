import { readFileSync } from 'node:fs';

/** The file in the data folder to which the first start writes the id and the secret of the admin client. */
export const ADMIN_CLIENT_FILE = 'admin-client.json';

/** Reads a secret from an operator's file, without the line break that editors add at the end. */
export const readSecretFile = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
