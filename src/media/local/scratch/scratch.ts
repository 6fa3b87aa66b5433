import { chmod, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import { storageFault } from '../errors.ts';
import { removeStagedFiles } from '../publish/staged-names.ts';

/** Where scratch folders lie: `scratchDirs[0]` takes the new ones, the others may hold what an earlier start left. */
export interface ScratchFolders {
  readonly scratchDirs: readonly [string, ...string[]];
  /** Why scratch does not lie on the media root's own disk, where it does not. */
  readonly fallback?: unknown;
}

/**
 * `<media root>/.telecine/jobs`, so that publishing is a link; where that cannot be made (read-only, or not
 * ours), a folder of the data folder, and publishing copies if that is another disk.
 */
export async function findScratchDirs(mediaRoot: string, dataDir: string): Promise<ScratchFolders> {
  const near = join(mediaRoot, RESERVED_PREFIX);
  const far = resolve(dataDir, 'scratch');
  try {
    return { scratchDirs: [await makeRoom(near), join(far, 'jobs')] };
  } catch (fallback) {
    return { scratchDirs: [await makeRoom(far), join(near, 'jobs')], fallback };
  }
}

/** Nobody but this user may look into it: other clients' media passes through. */
async function makeRoom(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stats = await lstat(folder);
  if (!stats.isDirectory() || stats.uid !== process.getuid?.())
    throw new Error('The scratch folder is a symlink, no folder, or belongs to another user.');
  await chmod(folder, 0o700);
  const room = join(folder, 'jobs');
  await mkdir(room, { recursive: true, mode: 0o700 });
  return await realpath(room);
}

/**
 * The folder's own name in what an intent calls its scratch folder: intents of builds before version 1 hold an absolute
 * path. Throws for a name that no scratch folder has, so that no other folder is ever deleted.
 */
export function scratchName(text: string): string {
  const name = isAbsolute(text) ? basename(text) : text;
  if (name === '' || name.startsWith('.') || name.includes('/')) throw new Error(`"${text}" is not a scratch name.`);
  return name;
}

/** Makes the private folder of one attempt, empty. */
export async function makeScratch(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await Promise.all(['in', 'out', 'pass'].map((part) => mkdir(join(dir, part), { mode: 0o700 })));
  } catch (error) {
    throw storageFault('making room for the conversion', error);
  }
}

/** Removes a scratch folder and the hidden files that it wrote down. Nothing there is fine. */
export async function removeScratch(dir: string): Promise<void> {
  try {
    await removeStagedFiles(dir);
    // A process that is being ended may still add a file.
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw storageFault('removing temporary files', error);
  }
}
