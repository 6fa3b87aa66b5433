// @module-tag long
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { openPage } from '../../scripts/check-docs-page/browser.ts';
import { samplePath } from '../../scripts/lib/samples.ts';
import { onPath } from '../../scripts/setup/command.ts';
import { clientPackage } from '../support/client-package.ts';
import { testFolder } from '../support/folders.ts';
import { insertClient } from '../support/insert-client.ts';
import { addNodeTypes, tsc } from '../support/installed-package.ts';
import { listenOnLoopback } from '../support/loopback.ts';
import { needs } from '../support/needs.ts';
import { olderNode } from '../support/older-node.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sharedServer } from '../support/shared-server.ts';

const TREE = resolve(import.meta.dirname, '../..');
const PROGRAM = join(TREE, 'test/fixtures/client-package/program.ts');
const installed = clientPackage();
const shared = sharedServer();
const test = needs('ffmpeg');

test('the package needs no other package, and contains its licences', async () => {
  const { folder, files } = await installed();
  const own = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(own['version']).toBe(manifest.version);
  expect(Object.keys(own).filter((name) => /dependencies/i.test(name))).toEqual([]);
  expect(files.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY-LICENSES']),
  );
  const code = files.map(({ path }) => path).filter((path) => /\.(?:js|d\.ts)$/.test(path));
  const imports = code.flatMap((path) =>
    Array.from(
      readFileSync(join(folder, path), 'utf8').matchAll(/(?:\bfrom |\bimport\(|^import )["']([^"']+)["']/gm),
      ([, name = '']) => ({ path, name }),
    ),
  );
  expect(imports.length).toBeGreaterThan(5);
  expect(imports.filter(({ path, name }) => !name.startsWith('.') && !/^node\//.test(path))).toEqual([]);
  expect(imports.filter(({ name }) => !name.startsWith('.') && !name.startsWith('node:'))).toEqual([]);
});

test('the types of the package are those of the schemas that validate requests', async () => {
  const { folder } = await installed();
  const source = join(TREE, 'packages/client/src/api.ts');
  const names = Array.from((await readFile(source, 'utf8')).matchAll(/^export type (\w+)/gm), ([, name = '']) => name);
  expect(names).toContain('ConversionRequest');
  const checked = join(await testFolder('same-types'), 'same.ts');
  await writeFile(
    checked,
    [
      `import type * as Built from '${join(folder, 'api.d.ts')}';`,
      `import type * as Source from '${source}';`,
      'type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;',
      ...names.map((name) => `true satisfies Same<Built.${name}, Source.${name}>;`),
    ].join('\n'),
  );
  // The built types have no explicit `undefined`, which only that option tells from an absent member.
  const config = {
    extends: join(TREE, 'tsconfig.json'),
    compilerOptions: { exactOptionalPropertyTypes: false, typeRoots: [join(TREE, 'node_modules/@types')] },
  };
  const project = join(checked, '../tsconfig.json');
  await writeFile(project, JSON.stringify({ ...config, include: [], files: [checked] }));
  expect(await tsc('-p', project)).toEqual({ ok: true, text: '' });
});

/** Compiles the program in the project of a user, with all that `strict` and the checks of libraries report. */
async function compile(name: string, options: object): Promise<{ readonly ok: boolean; readonly text: string }> {
  const { project } = await installed();
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    target: 'es2022',
    rootDir: project,
    outDir: join(project, name),
    ...options,
  };
  await cp(PROGRAM, join(project, 'program.ts'));
  await writeFile(join(project, `${name}.json`), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return tsc('-p', join(project, `${name}.json`));
}

test('a strict program for Node compiles against the package', async () => {
  const { project } = await installed();
  await addNodeTypes(project);
  const options = { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022'], types: ['node'] };
  expect(await compile('for-node', options)).toEqual({ ok: true, text: '' });
});

test('a strict program for a bundler and browsers compiles against the package', async () => {
  const options = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'], types: [] };
  expect(await compile('for-bundler', options)).toEqual({ ok: true, text: '' });
});

/** A running service, a client of it, and what that must have at the end. */
async function start(name: string, server: TestServer) {
  const credentials = await insertClient(server, name, { root: name });
  const expected = {
    argv: 'ffmpeg',
    isSame: true,
    lastEvent: 'ended',
    status: 'COMPLETED',
    metadata: { order: 'A-1042' },
    isRange: true,
    isStored: true,
    batch: ['COMPLETED', 2],
    links: 1,
    hasFlac: true,
    error: { code: 'INVALID_REQUEST', fields: ['/parameters/crf'], fixes: expect.any(Array) },
  };
  const check = async (result: Record<string, unknown>): Promise<void> => {
    const output = await server.media.below(name).get('out/film.mkv');
    expect(result).toEqual({
      ...expected,
      sizes: [output.length, output.length, output.length],
      output: createHash('sha256').update(output).digest('hex'),
    });
  };
  return { credentials, check };
}

let program: Promise<void> | undefined;

/** Compiles the program in the project, once, as `run/program.js`. */
const compiled = (): Promise<void> => {
  program ??= compile('run', {
    module: 'esnext',
    moduleResolution: 'bundler',
    types: [],
    lib: ['es2022', 'dom'],
  }).then(({ ok, text }) => {
    if (!ok) throw new Error(text);
  });
  return program;
};

const DRIVER = `
import { readFile, rm } from 'node:fs/promises';
import { createNodeClient } from '@telecine/client/node';
import { run } from './run/program.js';
const [url, clientId, clientSecret, film] = process.argv.slice(2);
const client = createNodeClient(url, { clientId, clientSecret });
await client.uploadFile(film, 'in/film.mp4');
const result = await run(client, new Blob([await readFile(film)]));
const { jobs } = await client.list({ metadata: { order: 'A-1042' }, limit: 50 });
const { jobId } = jobs.find(({ output }) => output === 'out/film.mkv');
await client.saveOutput(jobId, 'saved.mkv', { replace: true });
if ((await readFile('saved.mkv')).length !== result.sizes[0]) throw new Error('the saved file is incomplete');
await rm('saved.mkv');
console.log(JSON.stringify(result));
`;

async function runOn(node: string, name: string): Promise<void> {
  const { project } = await installed();
  await compiled();
  await writeFile(join(project, 'driver.js'), DRIVER);
  const { server } = await shared();
  const { credentials, check } = await start(name, server);
  const args = ['driver.js', server.url, credentials.clientId, credentials.clientSecret, samplePath('480p')];
  const { stdout, stderr } = await promisify(execFile)(node, args, { cwd: project });
  await check(JSON.parse(stdout) as Record<string, unknown>);
  expect(stderr.trim()).toBe('COMPLETED');
}

test('a program uploads, converts, follows and downloads on this Node', () => runOn(process.execPath, 'node'));

needs('ffmpeg', 'an older Node')('the same program runs on Node 20', () => runOn(olderNode() ?? '', 'older-node'));

const TYPES: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html; charset=utf-8' };

/** A page that runs the program, with the installed package and no bundler. */
const page = (url: string, credentials: object): string => `<!doctype html><link rel="icon" href="data:,">
<script type="importmap">{"imports": {"@telecine/client": "/node_modules/@telecine/client/index.js"}}</script>
<body><script type="module">
  import { createClient, run } from '/run/program.js';
  const show = (text) => { document.body.innerText = text; };
  const film = await (await fetch('/film.mp4')).blob();
  run(createClient(${JSON.stringify(url)}, ${JSON.stringify(credentials)}), film).then(
    (result) => show('result ' + JSON.stringify(result)),
    (error) => show('failed ' + error.stack),
  );
</script></body>`;

needs('ffmpeg', 'Chromium')('a page in a browser does the same', async () => {
  const { project } = await installed();
  await compiled();
  let html = '';
  const site = createServer(async ({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const file = pathname === '/film.mp4' ? samplePath('480p') : join(project, pathname);
    response.setHeader('content-type', TYPES[extname(pathname) || '.html'] ?? 'video/mp4');
    response.end(pathname === '/' ? html : await readFile(file).catch(() => ''));
  });
  const origin = await listenOnLoopback(site);
  const server = await startServer({ env: { TELECINE_CORS_ORIGINS: origin } });
  const { credentials, check } = await start('browser', server);
  html = page(server.url, credentials);
  const profile = join(await testFolder('browser'), 'profile');
  const shown = await openPage(onPath('chromium') ?? '', profile, `${origin}/`, /^(?:result|failed) /);
  expect(shown.text).toMatch(/^result /);
  await check(JSON.parse(shown.text.slice('result '.length)) as Record<string, unknown>);
});
