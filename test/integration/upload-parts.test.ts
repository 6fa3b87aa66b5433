import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { uploadPartsContract } from '../contracts/upload-parts.ts';
import { openLocalFiles } from '../fixtures/local-files.ts';

uploadPartsContract('a local disk', async () => {
  const t = await openLocalFiles();
  return {
    ...t,
    parts: t.files.parts,
    again: async () => (await t.restart()).parts,
    hidden: () => readdir(join(t.mediaRoot, '.telecine', 'resumable-test')),
  };
});
