import { constants, existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { descriptorPath } from '@telecine/contract/domain/media-root.ts';

/** Runs `use` with an empty private folder in `parent`, and then removes the folder. */
export async function withTemporaryFolder<T>(parent: string, use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(parent, 'tool-'));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/**
 * Makes `dir` an empty folder that only this user can enter, and removes what killed processes left in it. Call it while no process uses
 * `dir`. All steps use the open folder; with its mode 0700, no other user can replace an entry by a symlink. Throws if `dir` is not a
 * folder, or belongs to another user.
 */
export async function openWorkRoot(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await using handle = await open(dir, FLAGS).catch((cause) => {
    throw new Error(`${dir} is a symlink, or cannot be opened. Remove it, so that the service can make a folder.`, {
      cause,
    });
  });
  if ((await handle.stat()).uid !== process.getuid?.())
    throw new Error(`${dir} belongs to another user. Remove it, so that the service can make a folder of its own.`);
  await handle.chmod(0o700);
  // Use the path of the open folder, which only Linux has.
  const opened = existsSync('/proc/self/fd') ? descriptorPath(handle.fd) : dir;
  for (const name of await readdir(opened)) await rm(join(opened, name), { recursive: true, force: true });
  return dir;
}
