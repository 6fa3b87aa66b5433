import { join } from 'node:path';
import { findProgram, identifyBuild } from '../../src/ffmpeg/catalogue/build.ts';
import { saveCatalogue } from '../../src/ffmpeg/catalogue/catalogue-file.ts';
import { completeCatalogue } from '../../src/ffmpeg/catalogue/complete-catalogue.ts';
import { openCatalogue } from '../../src/ffmpeg/catalogue/live-catalogue.ts';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/telecine');

/**
 * Puts the complete catalogue of the installed ffmpeg into a data folder. Without it, a service that runs jobs on
 * PostgreSQL queries ffmpeg 1,500 times in the background, beside what is measured. The first call queries it itself,
 * for a minute or two; later runs read it from a cache.
 */
export async function placeCatalogue(dataDir: string): Promise<void> {
  const path = await findProgram('ffmpeg', undefined, process.env['PATH'] ?? '');
  if (path === undefined) throw new Error('There is no ffmpeg. Install it: npm run setup');
  const live = await openCatalogue(await identifyBuild(path), CACHE);
  const complete = await completeCatalogue(live, new AbortController().signal);
  await live.flush();
  await saveCatalogue(join(dataDir, 'catalogues'), complete);
}
