import { execFile } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { stampOf } from '../../bin/current-bundle.js';
import manifest from '../../package.json' with { type: 'json' };
import { machineTextsIn } from '../../scripts/release/machine-texts.ts';
import { readNotices } from '../../scripts/release/notices.ts';
import { testFolder } from '../support/folders.ts';
import { needs } from '../support/needs.ts';
import { runCli } from '../support/run-cli.ts';
import { startServer } from '../support/server.ts';

const folder = dirname(dirname(inject('program').entry));
/** Of the checkout only: see `files` in package.json. */
const UNPUBLISHED = 'sources.json';
const dist = globSync('**/*', { cwd: join(folder, 'dist'), withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(join(folder, 'dist'), join(entry.parentPath, entry.name)))
  .filter((name) => name !== UNPUBLISHED);
const docs = globSync('**/*.md', { cwd: join(folder, 'docs') });
const code = dist
  // The console has no imports: a browser loads it.
  .filter((name) => name.endsWith('.js') && !name.startsWith('console/'))
  .map((name) => readFileSync(join(folder, 'dist', name), 'utf8'))
  .join('\n');

test('the tests run the files that npm publishes', async () => {
  const pack = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], { cwd: folder });
  const [{ files }] = JSON.parse(pack.stdout) as [{ files: readonly { path: string }[] }];
  expect(files.map(({ path }) => path).toSorted()).toEqual(
    [
      ...['LICENSE', 'README.md', 'CHANGELOG.md', 'package.json'],
      ...readdirSync(join(folder, 'bin')).map((name) => `bin/${name}`),
      ...dist.map((name) => `dist/${name}`),
      ...docs.map((name) => `docs/${name}`),
    ].toSorted(),
  );
});

test('the package has no dependencies to install', () => {
  expect(Object.keys(manifest)).not.toContain('dependencies');
  const imports = code.matchAll(/^(?:import|export) (?:.* from )?"([^"]+)"|\b(?:import|__require)\("([^"]+)"\)/gm);
  const names = new Set(Array.from(imports, ([, fixed, called]) => fixed ?? called ?? ''));
  expect(names).toContain('node:sqlite');
  // `pg` loads pg-native only for programs that ask for its native client.
  const expected = ['pg-native'];
  expect([...names].filter((name) => !isBuiltin(name) && !name.startsWith('./'))).toEqual(expected);
});

test('the package contains the licence of every bundled package', () => {
  const notices = readFileSync(join(folder, 'dist/THIRD-PARTY-LICENSES'), 'utf8');
  const names = new Set(
    // Where node_modules is a symlink, the real folder is elsewhere: `// ../shared/node_modules/fastify/…`.
    Array.from(code.matchAll(/^\/\/ (?:\S*?\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/gm), ([, name = '']) => name),
  );
  expect(names).toContain('fastify');
  const reported = new Set(readNotices(notices).map(({ name }) => name));
  expect([...names].filter((name) => !reported.has(name))).toEqual([]);
});

test('the console contains the licence of every package in it', () => {
  const notices = readNotices(readFileSync(join(folder, 'dist/console/THIRD-PARTY-LICENSES'), 'utf8'));
  for (const name of [
    'react',
    'react-dom',
    '@tanstack/react-query',
    '@codemirror/view',
    'hls.js',
    'uplot',
    '@uppy/tus',
  ])
    expect(
      notices.find((notice) => notice.name === name),
      name,
    ).toMatchObject({ text: expect.stringMatching(/Copyright.*(?:Permission is hereby granted|Apache License)/s) });
});

test('no published file names a path of the machine that built it, or a registry', async () => {
  const { stdout: registry } = await promisify(execFile)('npm', ['config', 'get', 'registry']);
  const files = globSync('**/*', {
    cwd: folder,
    withFileTypes: true,
    exclude: ['node_modules', `dist/${UNPUBLISHED}`],
  });
  const found = files
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((file) => {
      const content = readFileSync(file, 'utf8');
      return [...machineTextsIn(content, registry), ...(content.includes(folder) ? [folder] : [])].map(
        (text) => `${relative(folder, file)}: ${text}`,
      );
    });
  expect(files.length).toBeGreaterThan(300);
  expect(found).toEqual([]);
});

test('the program prints its version', async () => {
  expect(await runCli(['--version'], {})).toEqual({ code: 0, stdout: `${manifest.version}\n`, stderr: '' });
});

needs('ffmpeg')('the page of the API and its script are in it', { tags: 'long' }, async () => {
  const { url } = await startServer({ until: 'listening' });
  const script = await (await fetch(`${url}/docs/scalar.js`)).text();
  expect(await (await fetch(`${url}/docs`)).text()).toContain('<script src="docs/scalar.js">');
  expect(script.length).toBeGreaterThan(1_000_000);
});

test('sources without installed packages report that, and what to do', async () => {
  const tree = await testFolder('sources');
  await cp(join(folder, 'bin'), join(tree, 'bin'), { recursive: true });
  await mkdir(join(tree, 'packages/cli/src'), { recursive: true });
  await writeFile(join(tree, 'package.json'), '{"type":"module"}');
  await writeFile(join(tree, 'packages/cli/src/main.ts'), "import 'commander';");
  const failed = promisify(execFile)(process.execPath, [join(tree, 'bin/telecine.js'), 'serve']);
  await expect(failed).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Cannot find package 'commander'.*\n.*npm ci --include=dev/),
  });
});

test('a checkout starts from its bundle until a source changes', async () => {
  const tree = await testFolder('checkout');
  const source = join(tree, 'packages/cli/src/main.ts');
  const started = async () =>
    (await promisify(execFile)(process.execPath, [join(tree, 'bin/telecine.js')])).stdout.trim();
  await cp(join(folder, 'bin'), join(tree, 'bin'), { recursive: true });
  for (const name of ['packages/cli/src', 'dist']) await mkdir(join(tree, name), { recursive: true });
  await writeFile(join(tree, 'package.json'), '{"type":"module"}');
  await writeFile(source, "console.log('sources');");
  expect(await started()).toBe('sources');

  await writeFile(join(tree, 'dist/main.js'), "console.log('bundle');");
  await writeFile(join(tree, 'dist/sources.json'), JSON.stringify({ 'packages/cli/src/main.ts': stampOf(source) }));
  expect(await started()).toBe('bundle');

  await writeFile(source, "console.log('changed sources');");
  expect(await started()).toBe('changed sources');
});

test('the build records each source that the bundle contains', async () => {
  const stamps = JSON.parse(await readFile(join(folder, 'dist', UNPUBLISHED), 'utf8'));
  expect(stamps).toMatchObject({
    'package-lock.json': stampOf('package-lock.json'),
    'packages/cli/src/main.ts': stampOf('packages/cli/src/main.ts'),
    'bin/user-cache.js': stampOf('bin/user-cache.js'),
  });
  const installed = 'node_modules/.package-lock.json';
  expect(stamps[installed], 'an install counts as a change').toBe(stampOf(installed));
  expect(Object.keys(stamps).filter((path) => path.includes('node_modules'))).toEqual([installed]);
});
