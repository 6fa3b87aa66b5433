import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chunkFilesOnDisk } from '../../packages/service/src/media/scratch/chunk-files.ts';
import { chunkFilesContract } from '../contracts/chunk-files.ts';
import { openLocal } from '../fixtures/local-media.ts';

chunkFilesContract('a local disk', async () => {
  const t = await openLocal();
  const media = await t.restart();
  const chunkFiles = chunkFilesOnDisk({
    folder: t.mediaRoot,
    dataDir: join(t.home, 'data'),
    name: 'chunks-test',
    isShared: true,
    folders: media.folders,
    log: { warn: () => {} },
  });
  return { media, chunkFiles, stored: () => readdir(join(t.mediaRoot, '.telecine', 'chunks-test')), close: t.close };
});
