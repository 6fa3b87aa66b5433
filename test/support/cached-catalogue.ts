import { join } from 'node:path';
import { identifyBuild } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { loadCatalogue, saveCatalogue } from '../../packages/ffmpeg/src/catalogue/catalogue-file.ts';
import { completeCatalogue } from '../../packages/ffmpeg/src/catalogue/complete-catalogue.ts';
import { openCatalogue } from '../../packages/ffmpeg/src/catalogue/live-catalogue.ts';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/telecine');

/**
 * Saves the complete catalogue of an ffmpeg to `folder`. Without it, each worker on PostgreSQL queries ffmpeg some 1,500
 * times in the background. The first call queries it itself, for a minute or two, but for the facts that a catalogue in
 * `folder` has; later runs read it from a cache.
 */
export async function saveCompleteCatalogue(ffmpegPath: string, folder: string): Promise<void> {
  const build = await identifyBuild(ffmpegPath);
  const known = await loadCatalogue(folder, build);
  if (known !== undefined && (await loadCatalogue(CACHE, build)) === undefined) await saveCatalogue(CACHE, known);
  const live = await openCatalogue(build, CACHE);
  const complete = await completeCatalogue(live, new AbortController().signal);
  await live.flush();
  await saveCatalogue(folder, complete);
}
