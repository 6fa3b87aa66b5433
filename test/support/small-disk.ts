import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { type ApiClient, adminClient } from './api-client.ts';
import { testFolder } from './folders.ts';
import { seedCatalogues, startServer } from './server.ts';

/**
 * Starts a service whose media root is a disk of `bytes` in its own mount namespace. The disk contains `movie.mp4`.
 * Needs bubblewrap.
 */
export async function serveOnSmallDisk(
  bytes: number,
  env: Readonly<Record<string, string>>,
): Promise<{ readonly admin: ApiClient; seen(): Promise<string> }> {
  const folder = await testFolder('small');
  const mediaRoot = join(folder, 'media');
  const launcher = ['bwrap', '--dev-bind', '/', '/', '--size', `${bytes}`, '--tmpfs', mediaRoot];
  const input = ['--ro-bind', samplePath('480p'), join(mediaRoot, 'movie.mp4')];
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  await seedCatalogues(dataDir);
  const server = await startServer({ dataDir, mediaRoot, launcher: [...launcher, ...input], env });
  /** The media root as the service sees it. */
  const seen = async (): Promise<string> => {
    for (const pid of [server.pid, ...(await descendants(server.pid))]) {
      const root = `/proc/${pid}/root${mediaRoot}`;
      if (existsSync(join(root, '.telecine'))) return root;
    }
    throw new Error('No process of the service sees its small disk.');
  };
  return { admin: await adminClient(server), seen };
}
