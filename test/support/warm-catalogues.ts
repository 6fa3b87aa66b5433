import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { TestProject } from 'vitest/node';
import { CLI_RULES } from '../../packages/ffmpeg/src/allowlist/allowed-cli-options.ts';
import { identifyBuild } from '../../packages/ffmpeg/src/catalogue/build.ts';
import { loadCatalogue, saveCatalogue } from '../../packages/ffmpeg/src/catalogue/catalogue-file.ts';
import { startService } from '../../scripts/lib/service.ts';
import { RECORDED, recordedCatalogue } from './recorded-catalogue.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder with the catalogue of the installed ffmpeg. undefined: there is no ffmpeg. */
    catalogues?: string | undefined;
    /** XDG_CACHE_HOME for commands, with the same catalogue. */
    caches?: string | undefined;
  }
}

/**
 * Starts and stops one service per run. The services of the tests reuse its ffmpeg catalogue and Node's compile cache;
 * without them each would spend more than half of its start on both.
 */
export default async function setUp({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { tools, program, catalogues } = vitest.getProvidedContext();
  if (tools === undefined || catalogues !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'telecine-first-'));
  const dataDir = join(folder, 'data');
  const service = await startService({ dataDir, mediaRoot: join(folder, 'media'), program });
  await service.stop();
  const known = join(dataDir, 'catalogues');
  await addRecorded(known, tools.ffmpegPath);
  vitest.provide('catalogues', known);
  const caches = join(folder, 'caches');
  await mkdir(join(caches, 'telecine'), { recursive: true, mode: 0o700 });
  await symlink(known, join(caches, 'telecine/catalogues'));
  vitest.provide('caches', caches);
  return () => rm(folder, { recursive: true, force: true });
}

/** What a build says about an allowed option that it lacks, and that is not in its recording. */
const LACKING = [...CLI_RULES.keys()].map((name) => [name, { argument: false, place: 'nowhere' }] as const);

/**
 * If the installed build is a recorded one, adds the recorded options and components to its catalogue. Otherwise each
 * service would query them again, on PostgreSQL even all of them, and each query is an ffmpeg process.
 * `test/integration/catalogue.test.ts` tests the queries.
 */
async function addRecorded(folder: string, ffmpegPath: string): Promise<void> {
  const build = await identifyBuild(ffmpegPath);
  const queried = await loadCatalogue(folder, build);
  const recorded = RECORDED.map(recordedCatalogue).find((one) => one.build.versionLine === build.versionLine);
  if (queried === undefined || recorded === undefined) return;
  const same = isDeepStrictEqual([queried.lists, queried.generic], [recorded.lists, recorded.generic]);
  if (same)
    await saveCatalogue(folder, {
      ...queried,
      cli: new Map([...LACKING, ...recorded.cli]),
      components: recorded.components,
    });
}
