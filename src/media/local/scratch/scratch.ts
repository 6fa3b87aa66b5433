import { chmod, lstat, mkdir, realpath, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { RESERVED_PREFIX } from '../../../domain/media-path.ts';
import type { Scratch } from '../../../jobs/ports.ts';
import { storageFault } from '../errors.ts';
import { removeHidden } from '../publish/staged-names.ts';

/** Where scratch folders lie: `rooms[0]` takes the new ones, the others may hold what an earlier start left. */
export interface ScratchRooms {
  readonly rooms: readonly [string, ...string[]];
  /** Why scratch does not lie on the media root's own disk, where it does not. */
  readonly fallback?: unknown;
}

/**
 * `<media root>/.telecine/jobs`, so that publishing is a link; where that cannot be made (read-only, or not
 * ours), a folder of the data folder, and publishing copies if that is another disk.
 */
export async function findScratchRooms(mediaRoot: string, dataDir: string): Promise<ScratchRooms> {
  const near = join(mediaRoot, RESERVED_PREFIX);
  const far = resolve(dataDir, 'scratch');
  try {
    return { rooms: [await makeRoom(near), join(far, 'jobs')] };
  } catch (fallback) {
    return { rooms: [await makeRoom(far), join(near, 'jobs')], fallback };
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

/** Makes the private folder of one try, empty. */
export async function openScratch(room: string, name: string): Promise<Scratch> {
  const dir = join(room, name);
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await Promise.all(['in', 'out', 'pass'].map((part) => mkdir(join(dir, part), { mode: 0o700 })));
  } catch (error) {
    throw storageFault('making room for the conversion', error);
  }
  return { name, dir };
}

/** Removes a scratch folder and the hidden files that it wrote down. Nothing there is fine. */
export async function discard(rooms: ScratchRooms['rooms'], dir: string): Promise<void> {
  if (!rooms.includes(dirname(resolve(dir)))) throw new Error(`${dir} is no scratch folder.`);
  try {
    await removeHidden(dir);
    // A process that is being ended may still add a file.
    await rm(dir, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    throw storageFault('removing temporary files', error);
  }
}
