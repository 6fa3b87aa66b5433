// npm run build:client: writes the package @telecine/client to dist-client, ready to publish.
import { cp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };
import { failOnWarning, licences } from '../rolldown.config.ts';
import { apiTypes } from './build-client/api-types.ts';
import template from './build-client/package/package.json' with { type: 'json' };
import { writeDeclarations } from './lib/declarations.ts';

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
  await writeDeclarations(
    {
      project: join(import.meta.dirname, 'build-client/tsconfig.json'),
      folder: 'client/src',
      entries: ['index.d.ts', 'node/node-client.d.ts'],
      // Types that the build generates from the schemas.
      written: new Map([['api.d.ts', await apiTypes()]]),
    },
    folder,
  );
  const { version } = manifest;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify({ ...template, version }, null, 2)}\n`);
  await cp(join(import.meta.dirname, 'build-client/package/README.md'), join(folder, 'README.md'));
  await cp(join(TREE, 'LICENSE'), join(folder, 'LICENSE'));
}

if (import.meta.main) await buildClient(join(TREE, 'dist-client'));
