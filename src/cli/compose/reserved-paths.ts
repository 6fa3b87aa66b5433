import { realpathSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/read-settings.ts';

/** The folder of this program: the one around `src`, and around `dist`. */
const PROGRAM = programFolder();

/**
 * The service's own folders and files, absolute, symlinks resolved where they are there: no client may reach them, no
 * conversion see them.
 */
export function findReservedPaths({
  dataDir,
  adminSecretFile,
}: Pick<Config, 'dataDir' | 'adminSecretFile'>): readonly string[] {
  return [dataDir, PROGRAM, ...(adminSecretFile === undefined ? [] : [adminSecretFile])].map(realPathIfPresent);
}

/** Throws `ConfigError` where `mediaRoot` itself is one of `own`. In one of them, or around them, it may lie. */
export function rejectReservedRoot(mediaRoot: string, own: readonly string[]): void {
  if (!own.includes(mediaRoot)) return;
  throw new ConfigError(
    `TELECINE_MEDIA_ROOT: ${mediaRoot} is the service's own folder, which no client may read; set another, or one in it.`,
  );
}

function programFolder(): string {
  const manifest = findPackageJSON(import.meta.url);
  if (manifest === undefined) throw new Error('The package.json of telecine is missing.');
  return dirname(manifest);
}

/** Of what is not there, the path as it is. */
export function realPathIfPresent(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path.replace(/(?<=.)\/$/, '');
  }
}
