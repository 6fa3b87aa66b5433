import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onPath } from './command.ts';

/** Debian has a folder for each version, and puts none of them on PATH. */
const DEBIAN = '/usr/lib/postgresql';

/** The folder of the newest installed PostgreSQL's programs. */
export function postgresPrograms(): string | undefined {
  const server = onPath('postgres');
  if (server !== undefined) return dirname(server);
  const newest = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))[0] : undefined;
  return newest === undefined ? undefined : join(DEBIAN, newest, 'bin');
}
