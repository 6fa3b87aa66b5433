import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { identifyBuild } from '../../src/ffmpeg/catalogue/build.ts';
import { loadCatalogue, saveCatalogue } from '../../src/ffmpeg/catalogue/catalogue-file.ts';
import { completeCatalogue } from '../../src/ffmpeg/catalogue/complete-catalogue.ts';
import { openCatalogue } from '../../src/ffmpeg/catalogue/live-catalogue.ts';

const CACHE = join(import.meta.dirname, '../../node_modules/.cache/telecine');

/**
 * Completes the catalogue with which the services of the tests start, because each worker on PostgreSQL would otherwise
 * query the rest of it: some 1,000 processes. The next runs read it from a cache.
 */
export default async function setUp({ vitest }: TestProject): Promise<void> {
  const { tools, catalogues } = vitest.getProvidedContext();
  if (tools === undefined || catalogues === undefined) return;
  const build = await identifyBuild(tools.ffmpegPath);
  const known = await loadCatalogue(catalogues, build);
  if (known !== undefined && (await loadCatalogue(CACHE, build)) === undefined) await saveCatalogue(CACHE, known);
  const live = await openCatalogue(build, CACHE);
  const complete = await completeCatalogue(live, new AbortController().signal);
  await live.flush();
  await saveCatalogue(catalogues, complete);
}
