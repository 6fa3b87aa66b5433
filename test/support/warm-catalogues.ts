import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { TestProject } from 'vitest/node';
import { startService } from '../../scripts/lib/service.ts';
import { identifyBuild } from '../../src/ffmpeg/catalogue/build.ts';
import { loadCatalogue, saveCatalogue } from '../../src/ffmpeg/catalogue/catalogue-file.ts';
import { RECORDED, recordedCatalogue } from './recorded-catalogue.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of what a service has learned of this ffmpeg; undefined where there is none. */
    catalogues?: string | undefined;
  }
}

/**
 * Once a run: starts a service and tells it to end. What it asked of ffmpeg, and what Node compiled for it, is there
 * for the services of the tests, which else would each spend more time on that than on the rest of their start.
 */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { tools, program, catalogues } = vitest.getProvidedContext();
  if (tools === undefined || catalogues !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'telecine-first-'));
  const dataDir = join(folder, 'data');
  const env = { TELECINE_ALLOW_OLD_FFMPEG: '1' };
  const service = await startService({ dataDir, mediaRoot: join(folder, 'media'), program, env });
  await service.stop();
  const known = join(dataDir, 'catalogues');
  await addRecorded(known, tools.ffmpegPath);
  vitest.provide('catalogues', known);
  return () => rm(folder, { recursive: true, force: true });
}

/**
 * Where this is a build that was recorded, and it lists what was recorded, its parts need no asking either: each question
 * is an ffmpeg that loads all its libraries, and each service would ask anew. That asking is right shows
 * `test/integration/catalogue.test.ts`; other builds are asked here too.
 */
async function addRecorded(folder: string, ffmpegPath: string): Promise<void> {
  const build = await identifyBuild(ffmpegPath);
  const asked = await loadCatalogue(folder, build);
  const recorded = RECORDED.map(recordedCatalogue).find((one) => one.build.versionLine === build.versionLine);
  if (asked === undefined || recorded === undefined) return;
  const same = isDeepStrictEqual([asked.lists, asked.generic], [recorded.lists, recorded.generic]);
  if (same) await saveCatalogue(folder, { ...asked, components: recorded.components });
}
