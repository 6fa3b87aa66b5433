import { chmod, lstat, mkdir, readdir, realpath, rm } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import { errnoOf } from '../errors.ts';
import { removeStagedFiles } from '../publish/staged-names.ts';

/** The part of a pino logger that the engine uses. */
export interface MediaLog {
  warn(details: object, message: string): void;
}

export interface ScratchFolders {
  /** Absolute paths. The first contains new scratch folders; the others may contain those of an earlier start. */
  readonly scratchDirs: readonly [string, ...string[]];
  /** The error that prevents scratch folders on the disk of the media root; undefined if they are there. */
  readonly fallback?: unknown;
}

/**
 * Chooses the folder for scratch folders: `<media root>/.telecine/jobs`, so that publishing only has to create links.
 * If that folder cannot be created (read-only, or owned by another user), chooses a folder in the data folder.
 * Publishing then copies the files if that is on another disk.
 */
export async function findScratchDirs(mediaRoot: string, dataDir: string): Promise<ScratchFolders> {
  const near = join(mediaRoot, RESERVED_PREFIX);
  const far = resolve(dataDir, 'scratch');
  try {
    return { scratchDirs: [await makeScratchDir(near), join(far, 'jobs')] };
  } catch (fallback) {
    return { scratchDirs: [await makeScratchDir(far), join(near, 'jobs')], fallback };
  }
}

/** Creates a folder that only the service's user may read, because the media of all clients passes through it. */
async function makeScratchDir(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    throw new Error('The scratch folder is a symlink or a file, or belongs to another user.');
  await chmod(folder, 0o700);
  const dir = join(folder, 'jobs');
  await mkdir(dir, { recursive: true, mode: 0o700 });
  return await realpath(dir);
}

/**
 * Returns the folder name of a scratch folder. `text` comes from an intent; intents of builds before version 1 contain
 * an absolute path. Throws for a name that no scratch folder has, so that no other folder is ever deleted.
 */
export function scratchName(text: string): string {
  const name = isAbsolute(text) ? basename(text) : text;
  if (name === '' || name.startsWith('.') || name.includes('/')) throw new Error(`"${text}" is not a scratch name.`);
  return name;
}

/** Creates the empty private folder of one attempt. */
export async function makeScratch(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await Promise.all(['in', 'out', 'pass'].map((name) => mkdir(join(dir, name), { mode: 0o700 })));
}

/**
 * Lists the names of the scratch folders in `scratchDir`. Returns none if the folder is missing or unreadable:
 * `<media root>/.telecine` may be a file, or belong to another user.
 */
export async function listScratchNames(scratchDir: string): Promise<readonly string[]> {
  try {
    return await readdir(scratchDir);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errnoOf(error))) return [];
    throw error;
  }
}

/** Removes a scratch folder and the staged files that it records. Does nothing if there is none. */
export async function removeScratch(dir: string): Promise<void> {
  await removeStagedFiles(dir);
  // Retry, because a process that is being killed may still add a file.
  await rm(dir, { recursive: true, force: true, maxRetries: 3 });
}
