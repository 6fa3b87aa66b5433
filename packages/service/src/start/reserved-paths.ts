import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/read-settings.ts';
import { createFolder } from '../store/data-folder.ts';
import { readBuckets, secretFilesOf } from './bucket-settings.ts';

/** The folder of this program, with its sources and `dist`. */
const PROGRAM = programFolder();

/**
 * Throws `ConfigError` if the configured media root is missing. Its path may be mistyped, or its disk not mounted. A missing default root
 * is not an error, because `openMediaRoot` creates it.
 */
export function requireMediaRoot({ mediaRoot, mediaRootIsChosen }: Config): void {
  if (!mediaRootIsChosen || !isMissing(mediaRoot)) return;
  throw new ConfigError(
    `TELECINE_MEDIA_ROOT: there is no folder ${mediaRoot}. Mount its disk, correct the path, or create the folder (mkdir -p).`,
  );
}

/** Returns the media root with symlinks resolved. Creates the default media root if it is missing. */
export function openMediaRoot(config: Config): string {
  requireMediaRoot(config);
  createFolder(config.mediaRoot);
  return realpathSync(config.mediaRoot);
}

export function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    // Other errors, such as a missing permission, are reported later.
    return errnoOf(error) === 'ENOENT';
  }
}

/** The reserved paths, absolute with symlinks resolved. Clients cannot name them, and conversions cannot read them. */
export function findReservedPaths(config: Config): readonly string[] {
  const { dataDir, adminSecretFile, metricsTokenFile, recipesDir, whisperModel, storageBuckets } = config;
  const ofSettings = [adminSecretFile, metricsTokenFile, recipesDir, whisperModel, storageBuckets];
  const files = [...ofSettings.filter((file) => file !== undefined), ...secretFilesOf(readBuckets(config))];
  return [dataDir, PROGRAM, ...files].map(realPathIfPresent);
}

/** Throws `ConfigError` if the media root is a reserved path. A media root inside or above a reserved path is allowed. */
export function rejectReservedRoot(mediaRoot: string, reserved: readonly string[]): void {
  if (!reserved.includes(mediaRoot)) return;
  throw new ConfigError(
    `TELECINE_MEDIA_ROOT: ${mediaRoot} is a folder of the service itself, which no client may read. Set another folder, or a subfolder of it.`,
  );
}

function programFolder(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'bin/telecine.js'))) return folder;
  throw new Error('The folder of telecine is missing: no folder above this file contains bin/telecine.js.');
}

/** Resolves the symlinks of a path. If the path does not exist, only removes a trailing slash. */
export function realPathIfPresent(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path.replace(/(?<=.)\/$/, '');
  }
}
