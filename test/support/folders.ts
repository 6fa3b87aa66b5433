import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folders: string[] = [];

/** A new folder for this test file. Removed when all its tests passed; otherwise kept and printed. */
export async function testFolder(purpose = 'test'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `telecine-${purpose}-`));
  folders.push(folder);
  return folder;
}

/** Called by `setup-file.ts` after the tests of a file. */
export async function removeTestFolders(failed: boolean): Promise<void> {
  if (failed && folders.length > 0) process.stderr.write(`Kept for inspection: ${folders.join(' ')}\n`);
  // The crash reaper of a killed service may create its lock file in the folder meanwhile.
  else await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
  folders.length = 0;
}

/**
 * The paths of all files and folders below `folder`, relative to it. Others may remove some of them meanwhile, which
 * ends `readdir` with `recursive` in an error.
 */
export async function pathsBelow(folder: string, prefix = ''): Promise<readonly string[]> {
  const entries = await readdir(join(folder, prefix), { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  });
  const paths: string[] = [];
  for (const entry of entries) {
    const path = join(prefix, entry.name);
    paths.push(path);
    if (entry.isDirectory()) paths.push(...(await pathsBelow(folder, path)));
  }
  return paths;
}
