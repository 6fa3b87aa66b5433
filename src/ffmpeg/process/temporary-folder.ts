import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const PREFIX = 'telecine-tool-';

/** Runs `use` with an empty private folder below the system's temporary folder, and removes it afterwards. */
export async function withTemporaryFolder<T>(use: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  try {
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/**
 * Removes the folders that killed processes left behind. Call it before this process creates one: in a container every
 * start may have the same process id, so a folder with this id is from an earlier start. Folders of other users stay.
 */
export async function sweepTemporaryFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  await Promise.all(
    names.map(async (name) => {
      const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1]);
      if (Number.isNaN(pid) || (pid !== process.pid && isAlive(pid))) return;
      await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
    }),
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
