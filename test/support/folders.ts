import { mkdtemp, rm } from 'node:fs/promises';
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
