import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaPath } from '@telecine/contract/domain/media-path.ts';
import { expect, onTestFinished, test } from 'vitest';
import { requirePathsFit } from './path-lengths.ts';

const m = 'm' as MediaPath;
const much = 'much' as MediaPath;

async function folderWith(...names: readonly string[]): Promise<string> {
  const real = await mkdtemp(join(tmpdir(), 'telecine-lengths-'));
  onTestFinished(() => rm(real, { recursive: true }));
  for (const name of names) {
    await mkdir(join(real, name, '..'), { recursive: true });
    await writeFile(join(real, name), '');
  }
  return real;
}

test('a folder with more entries than are read is rejected, unless its paths become no longer', async () => {
  const real = await folderWith('a/1.ts', 'a/b/2.ts', '3.ts');
  await requirePathsFit(real, m, much, { mostEntries: 5 });
  await expect(requirePathsFit(real, m, much, { mostEntries: 4 })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    errors: [
      {
        code: 'TOO_MANY',
        message:
          'The folder has more than 4 entries, too many to check the lengths of their new paths. A path that is not longer than "m" needs no check.',
      },
    ],
  });
  await requirePathsFit(real, much, m, { mostEntries: 0 });
});

test('the read of a folder ends when its client leaves', async () => {
  const real = await folderWith('a.ts', 'b.ts');
  const left = new Error('The client has left.');
  await expect(requirePathsFit(real, m, much, { signal: AbortSignal.abort(left) })).rejects.toBe(left);
});
