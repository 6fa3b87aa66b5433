import { readFileSync } from 'node:fs';

/** The file in the data folder in which the first start leaves the id and the secret of the admin client. */
export const ADMIN_CLIENT_FILE = 'admin-client.json';

/** The secret in an operator's file, without the line break that editors add at its end. */
export const readSecretFile = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
