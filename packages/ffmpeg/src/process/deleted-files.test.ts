import { mkdtemp, open, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { deletedFileBytes } from './deleted-files.ts';

test.runIf(process.platform === 'linux')('a deleted file counts as written, except an input', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deleted-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'file');
  await writeFile(file, Buffer.alloc(1_000_000, 1));
  const { dev, ino } = await stat(file, { bigint: true });
  const handle = await open(file);
  onTestFinished(() => handle.close());
  await rm(file);
  const count = (...inputs: readonly string[]) =>
    deletedFileBytes({ list: async () => [process.pid], folders: async () => [folder], inputs: new Set(inputs) });
  expect((await count()) - (await count(`${dev}:${ino}`))).toBeGreaterThanOrEqual(1_000_000);
});
