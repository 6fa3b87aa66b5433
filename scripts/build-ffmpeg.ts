// npm run build:ffmpeg: writes the package @telecine/ffmpeg to dist-ffmpeg, ready to publish.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'rolldown';
import manifest from '../package.json' with { type: 'json' };
import source from '../packages/ffmpeg/package.json' with { type: 'json' };
import { failOnWarning, licences } from '../rolldown.config.ts';
import { writeDeclarations } from './lib/declarations.ts';

const TREE = resolve(import.meta.dirname, '..');
const PACKAGE = join(TREE, 'packages/ffmpeg');

/** Matches a link of the README to a page that is not in the package. */
const RELATIVE_LINK = /\[([^\]]+)\]\((?!https?:)(?:\.\.\/)*([^)#]+)[^)]*\)/g;

/** Writes the package to `folder`, which is emptied first. It has the version of the service, and only the library as an export. */
export async function buildFfmpeg(folder: string): Promise<void> {
  await build({
    cwd: TREE,
    input: { 'open-ffmpeg': 'packages/ffmpeg/src/library/open-ffmpeg.ts' },
    platform: 'node',
    onwarn: failOnWarning,
    plugins: [licences()],
    output: { dir: folder, cleanDir: true, chunkFileNames: '[name].js' },
    logLevel: 'warn',
  });
  await writeDeclarations(
    {
      project: join(import.meta.dirname, 'build-ffmpeg/tsconfig.json'),
      folder: 'ffmpeg/src/library',
      entries: ['open-ffmpeg.d.ts'],
    },
    folder,
  );
  const { name, description, license, type } = source;
  const { version } = manifest;
  const published = {
    ...{ name, version, description, license, type },
    engines: { node: manifest.devEngines.runtime.version },
    exports: {
      '.': { types: './open-ffmpeg.d.ts', default: './open-ffmpeg.js' },
      './package.json': './package.json',
    },
    types: './open-ffmpeg.d.ts',
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  await writeFile(join(folder, 'README.md'), readme.replaceAll(RELATIVE_LINK, '$1 (`$2`)'));
  await cp(join(TREE, 'LICENSE'), join(folder, 'LICENSE'));
}

if (import.meta.main) await buildFfmpeg(join(TREE, 'dist-ffmpeg'));
