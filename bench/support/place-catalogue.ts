import { join } from 'node:path';
import { findProgram } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { saveCompleteCatalogue } from '../../test/support/cached-catalogue.ts';

/**
 * Puts the complete catalogue of the installed ffmpeg into a data folder. Without it, a service that runs jobs on
 * PostgreSQL queries ffmpeg in the background during the measurement.
 */
export async function placeCatalogue(dataDir: string): Promise<void> {
  const path = await findProgram('ffmpeg', undefined, process.env['PATH'] ?? '');
  if (path === undefined) throw new Error('There is no ffmpeg. Install it: npm run setup');
  await saveCompleteCatalogue(path, join(dataDir, 'catalogues'));
}
