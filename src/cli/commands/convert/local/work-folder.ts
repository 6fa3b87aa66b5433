import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { lockFolder } from '../../../../store/data-folder.ts';

/** The folders of a service that one command starts, and that ends with the command. */
export interface WorkFolder {
  readonly folder: string;
  readonly mediaRoot: string;
  readonly dataDir: string;
}

const PREFIX = '.telecine-local-';

/** A folder that is younger may belong to a command that has not locked it yet. */
const MIN_AGE_MS = 60_000;

const foldersIn = (folder: string): WorkFolder => ({
  folder,
  mediaRoot: join(folder, 'media'),
  dataDir: join(folder, 'data'),
});

/**
 * Creates hidden folders in `near`, or in the next folder above that exists: on the disk of the outputs, so that they need
 * not be copied. If that disk has no hard links, which outputs need, or if this user cannot write there: among temporary files.
 * Removes what killed commands left there.
 */
export function createWorkFolder(near: string): WorkFolder {
  let parent = resolve(near);
  while (!isFolder(parent)) parent = dirname(parent);
  removeLeftovers(parent);
  return tryFolder(parent) ?? tryFolder(tmpdir()) ?? foldersIn(mkdtempSync(join(tmpdir(), PREFIX)));
}

function tryFolder(parent: string): WorkFolder | undefined {
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(parent, PREFIX));
    const folders = foldersIn(folder);
    mkdirSync(folders.mediaRoot);
    mkdirSync(folders.dataDir, { mode: 0o700 });
    const probe = join(folder, 'link');
    writeFileSync(probe, '');
    linkSync(probe, `${probe}ed`);
    for (const name of [probe, `${probe}ed`]) rmSync(name);
    return folders;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/** Removes the folders of commands that have ended without doing it. The lock of a running one is taken. */
function removeLeftovers(parent: string): void {
  try {
    for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
      const { folder, dataDir } = foldersIn(join(parent, name));
      if (Date.now() - statSync(folder).mtimeMs < MIN_AGE_MS) continue;
      lockFolder(dataDir, 'in use')();
      rmSync(folder, { recursive: true, force: true });
    }
  } catch {
    // It is in use, or belongs to another user.
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
