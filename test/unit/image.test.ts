import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const TREE = resolve(import.meta.dirname, '../..');
const read = (path: string): Promise<string> => readFile(resolve(TREE, path), 'utf8');

/** The folders and files of the tree that `npm run NAME` reads, with the scripts that it runs. */
async function readBy(name: string, scripts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const programs = [...(scripts[name] ?? '').matchAll(/node (scripts\/\S+)/g)].map(([, path = '']) =>
    readByScript(path),
  );
  return (await Promise.all(programs)).flat();
}

/** The script, the scripts and settings that it imports, and the folders that it names or bundles. */
async function readByScript(path: string): Promise<readonly string[]> {
  const text = await read(path);
  const folders = [...text.matchAll(/'((?:console|packages)(?=\/))/g)].map(([, folder = '']) => folder);
  const imported = [...text.matchAll(/ from '(\.[^']+)'/g)].map(([, one = '']) => join(dirname(path), one));
  const bundled = imported.includes('rolldown.config.ts')
    ? ['rolldown.config.ts', 'packages', ...(await importedBySource())]
    : [];
  const others = imported.filter((one) => one.startsWith('scripts/')).map(readByScript);
  return [path, ...folders, ...bundled, ...(await Promise.all(others)).flat()];
}

/** The folders and files of the tree that the program imports beside its own. */
async function importedBySource(): Promise<readonly string[]> {
  const files = globSync('packages/*/src/**/*.ts', { cwd: TREE, exclude: ['**/*.test.ts'] });
  const imported = files.map(async (file) =>
    [...(await read(file)).matchAll(/ from '(\.\.\/[^']+)'/g)].map(([, path = '']) => join(dirname(file), path)),
  );
  return (await Promise.all(imported)).flat().flatMap((path) => path.split('/')[0] ?? []);
}

// The image itself is built by `npm run test:image`.
test('the image is built from all that the build reads', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  const needed = [...new Set(await readBy('build', scripts))].toSorted();
  expect(needed).toEqual(
    expect.arrayContaining(['console', 'rolldown.config.ts', 'scripts/build-console.ts', 'packages']),
  );
  const [build = ''] = (await read('Dockerfile')).split('RUN npm run build');
  const copied = [...build.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  const sent = (await read('.dockerignore')).split('\n');
  for (const path of needed) {
    expect(copied).toContain(path);
    expect(sent).toContain(`!${path}`);
  }
});
