import { linkSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { lockFolder } from '@telecine/service/store/data-folder.ts';

interface WorkFolder {
  readonly folder: string;
  readonly mediaRoot: string;
  readonly dataDir: string;
}

const PREFIX = '.telecine-local-';

/** The minimum age of a folder to remove. A younger folder may belong to a command that has not locked it yet. */
const MIN_AGE_MS = 60_000;

const foldersIn = (folder: string): WorkFolder => ({
  folder,
  mediaRoot: join(folder, 'media'),
  dataDir: join(folder, 'data'),
});

/**
 * Creates hidden folders on the disk of the outputs, so that files can be linked and not copied. Uses `near` or its next existing parent.
 * If this user cannot write or link there, uses the folder for temporary files. Removes folders of killed commands.
 */
export function createWorkFolder(near: string): WorkFolder {
  let parent = resolve(near);
  while (!isFolder(parent)) parent = dirname(parent);
  return tryFolder(parent) ?? tryFolder(tmpdir()) ?? foldersIn(mkdtempSync(join(tmpdir(), PREFIX)));
}

function tryFolder(parent: string): WorkFolder | undefined {
  removeLeftovers(parent);
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

/** Removes the folders of killed commands of this user. A running command has locked its folder. */
function removeLeftovers(parent: string): void {
  for (const name of namesIn(parent)) {
    const { folder, dataDir } = foldersIn(join(parent, name));
    try {
      if (!isOldFolder(folder)) continue;
      // A command that was killed while it created or removed its folder leaves no data folder to lock.
      if (isOwnFolder(dataDir)) lockFolder(dataDir, 'in use')();
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Ignore errors: a running command uses the folder, or another command is removing it.
    }
  }
}

function namesIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent).filter((name) => name.startsWith(PREFIX));
  } catch {
    return [];
  }
}

const isOldFolder = (folder: string): boolean =>
  isOwnFolder(folder) && Date.now() - lstatSync(folder).mtimeMs >= MIN_AGE_MS;

/** Whether a path is a folder of this user. A symlink is not, because another user could create it in a shared folder. */
function isOwnFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === process.getuid?.();
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
