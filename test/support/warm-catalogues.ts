import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startService } from '../../scripts/lib/service.ts';

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
  vitest.provide('catalogues', known);
  const caches = join(folder, 'caches');
  await mkdir(join(caches, 'telecine'), { recursive: true, mode: 0o700 });
  await symlink(known, join(caches, 'telecine/catalogues'));
  vitest.provide('caches', caches);
  return () => rm(folder, { recursive: true, force: true });
}
