import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A fresh folder of this test file: removed when all its tests passed, else kept and named. */
export async function testFolder(purpose = 'test'): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `telecine-${purpose}-`));
  made.push(folder);
  return folder;
}

/** For the set-up file alone, once all tests of a file have ended. */
export async function removeTestFolders(failed: boolean): Promise<void> {
  if (failed && made.length > 0) process.stderr.write(`Kept for inspection: ${made.join(' ')}\n`);
  // A service that was killed has a guard, which may just be taking the lock that lies there.
  else await Promise.all(made.map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 3 })));
  made.length = 0;
}
