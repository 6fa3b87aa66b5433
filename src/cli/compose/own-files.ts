import { readFileSync } from 'node:fs';

/** The file in the data folder that a first start leaves: who the administrator is. */
export const ADMIN_CLIENT_FILE = 'admin-client.json';

/** The secret in an operator's file, without the line break that editors add. */
export const readSecretFile = (path: string): string => readFileSync(path, 'utf8').replace(/\r?\n$/, '');
