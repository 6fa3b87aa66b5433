// npm run build:console: writes the console to dist/console, with a compressed copy of each file beside it.
import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const TREE = resolve(import.meta.dirname, '..');
const VITE = join(TREE, 'node_modules/vite/bin/vite.js');
const COMPRESSIBLE = /\.(?:js|css|html|svg)$/;
const compress = promisify(brotliCompress);

/** Where a service that runs from the sources finds the console. */
export const CONSOLE_FOLDER = join(TREE, 'dist/console');

/** Writes the console to `folder`, which is emptied first. `quality`: of Brotli; the highest takes seconds. */
export async function buildConsole(folder: string, quality = constants.BROTLI_MAX_QUALITY): Promise<void> {
  // Build in a separate process: Vite and React read NODE_ENV, which has another value in tests.
  await promisify(execFile)(
    process.execPath,
    [
      VITE,
      'build',
      '-c',
      join(TREE, 'console/vite.config.ts'),
      // Let Node read the configuration: Vite's own loader writes a file into node_modules, which may be read-only.
      '--configLoader',
      'native',
      '--outDir',
      folder,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ],
    { env: { ...process.env, NODE_ENV: 'production' } },
  );
  const files = await readdir(folder, { recursive: true });
  await Promise.all(
    files.filter((file) => COMPRESSIBLE.test(file)).map((file) => writeCompressed(join(folder, file), quality)),
  );
}

async function writeCompressed(path: string, quality: number): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  await writeFile(`${path}.br`, await compress(await readFile(path), { params }));
}

if (import.meta.main) await buildConsole(CONSOLE_FOLDER);
