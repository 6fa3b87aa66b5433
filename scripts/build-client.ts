// npm run build:client: writes the package @telecine/client to dist-client, ready to publish.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { build } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };
import { failOnWarning, licences } from '../rolldown.config.ts';
import { declarations } from './build-client/declarations.ts';
import template from './build-client/package/package.json' with { type: 'json' };

const TREE = resolve(import.meta.dirname, '..');

/** Writes the package to `folder`, which is emptied first. It has the version of the service. */
export async function buildClient(folder: string): Promise<void> {
  await build({
    cwd: TREE,
    input: { index: 'packages/client/src/index.ts', 'node/node-client': 'packages/client/src/node/node-client.ts' },
    platform: 'neutral',
    external: /^node:/,
    onwarn: failOnWarning,
    plugins: [licences()],
    output: { dir: folder, cleanDir: true, chunkFileNames: '[name].js' },
    logLevel: 'warn',
  });
  const scratch = await mkdtemp(join(tmpdir(), 'telecine-declarations-'));
  try {
    for (const [path, text] of await declarations(scratch)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
  const { version } = manifest;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...template, version }, null, 2)}\n`);
  await cp(join(import.meta.dirname, 'build-client/package/README.md'), join(folder, 'README.md'));
  await cp(join(TREE, 'LICENSE'), join(folder, 'LICENSE'));
}

if (import.meta.main) await buildClient(join(TREE, 'dist-client'));
