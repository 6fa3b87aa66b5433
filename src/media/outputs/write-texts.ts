import { rm, writeFile } from 'node:fs/promises';
import type { FinishedOutput } from '../../jobs/ports/media-store.ts';
import { type DirectoryHandle, openNested } from '../scratch/directory-handle.ts';

/** Writes the files that the service itself adds to outputs into `out/`. They are then published like those of ffmpeg. */
export async function writeTexts(out: DirectoryHandle, finished: readonly FinishedOutput[]): Promise<void> {
  for (const { files, texts = [] } of finished) {
    if (texts.length === 0) continue;
    const folder = await openNested(out, files.subfolder.split('/').filter(Boolean));
    try {
      for (const { name, text } of texts) {
        const path = folder.pathOf(name);
        // What has this name now is of an earlier attempt to publish, or of a hostile input. A new file follows no symlink.
        await rm(path, { force: true });
        await writeFile(path, text, { flag: 'wx' });
      }
    } finally {
      await folder.close();
    }
  }
}
