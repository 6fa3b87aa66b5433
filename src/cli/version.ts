import { readFileSync } from 'node:fs';

/** The version of this program, from its manifest, which lies two folders up both from `src/cli` and `dist/cli`. */
export const version = (): string =>
  (JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }).version;
