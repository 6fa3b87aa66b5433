import { realpathSync, statSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/read-settings.ts';
import { createFolder } from '../../store/data-folder.ts';

type MediaRootConfig = Pick<Config, 'mediaRoot' | 'mediaRootIsChosen'>;

/**
 * Throws `ConfigError` if the media root is missing, unless it is the default one, which `openMediaRoot` creates. A
 * chosen root that is missing is mistyped, or its disk is not mounted: outputs would land on the wrong disk.
 */
export function requireMediaRoot({ mediaRoot, mediaRootIsChosen }: MediaRootConfig): void {
  if (!mediaRootIsChosen || !isMissing(mediaRoot)) return;
  throw new ConfigError(
    `TELECINE_MEDIA_ROOT: there is no folder ${mediaRoot}. Mount its disk, correct the path, or create the folder (mkdir -p).`,
  );
}

/** Returns the media root with symlinks resolved. Creates the default one if it is missing. */
export function openMediaRoot(config: MediaRootConfig): string {
  requireMediaRoot(config);
  createFolder(config.mediaRoot);
  return realpathSync(config.mediaRoot);
}

/** Resolves the symlinks of the path of a folder that exists. */
export const realPathOfFolder = (path: string): string => realpathSync(path);

export function isMissing(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    // Other errors, such as a missing permission, have messages of their own.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
