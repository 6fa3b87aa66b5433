import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startService } from '../../scripts/lib/service.ts';

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
  const { tools, catalogues } = vitest.getProvidedContext();
  if (tools === undefined || catalogues !== undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'telecine-first-'));
  const dataDir = join(folder, 'data');
  const env = { TELECINE_ALLOW_OLD_FFMPEG: '1' };
  const service = await startService({ dataDir, mediaRoot: join(folder, 'media'), env });
  await service.stop();
  vitest.provide('catalogues', join(dataDir, 'catalogues'));
  return () => rm(folder, { recursive: true, force: true });
}
