import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { defineConfig, type Plugin, type RolldownLog } from 'rolldown';
import { type LicenseInfo, licensePlugin } from 'rolldown-license-plugin';
import { stampOf } from './bin/current-bundle.js';

/** Writes the licences of all bundled packages as THIRD-PARTY-LICENSES. Fails for a package without one. */
export const licences = () =>
  licensePlugin({
    allow: ({ license }) => license !== '',
    failOnUnlicensed: true,
    done: (packages, context) =>
      void context.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES', source: notices(packages) }),
  });

/**
 * Fails for a warning, such as of an import that cannot be found: it would fail only where it is run. Not for one that
 * a plugin is slow, as it is on a busy machine.
 */
export function failOnWarning({ code, message }: RolldownLog): void {
  if (code !== 'PLUGIN_TIMINGS') throw new Error(message);
}

/** What decides the versions of packages and how they are bundled. npm writes the last one when it installs any. */
const ALSO_READ = ['package-lock.json', 'rolldown.config.ts', 'node_modules/.package-lock.json'];

/**
 * Writes `sources.json`, by which bin/telecine.js sees whether the bundle of a checkout is current. Each file is stamped before
 * it is read, so that a change during the build counts as one after it.
 */
function recordSources(tree: string): Plugin {
  const stamps: Record<string, string> = {};
  const record = (path: string): void => {
    stamps[path] = stampOf(join(tree, path));
  };
  return {
    name: 'record-sources',
    buildStart: () => ALSO_READ.forEach(record),
    load(id) {
      const path = relative(tree, id);
      if (existsSync(id) && !path.startsWith('..') && !path.startsWith('node_modules')) record(path);
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'sources.json', source: JSON.stringify(stamps) });
    },
  };
}

/** What Fastify loads for JSON schemas. Each app of the service has compilers of its own. */
const UNUSED: ReadonlySet<string> = new Set(['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler']);

/** What is left of packages of which the service uses one module: the others are for databases that it does not have. */
const PARTS: ReadonlyMap<string, string> = new Map([
  [
    'rate-limiter-flexible',
    "export { default as RateLimiterMemory } from 'rate-limiter-flexible/lib/RateLimiterMemory.js';",
  ],
]);

/** Leaves out what nothing runs: the text would be 0.8 MB of the memory of each service. */
const leaveOut: Plugin = {
  name: 'leave-out',
  resolveId: (source) => (UNUSED.has(source) || PARTS.has(source) ? `\0left out ${source}` : null),
  load: (id) => {
    const [, source] = /^\0left out (.*)$/.exec(id) ?? [];
    if (source === undefined) return null;
    return PARTS.get(source) ?? `throw new Error('${source} is not in the bundle')`;
  },
};

/** The program with every package that it uses, as `dist`. What it imports lazily stays a file of its own. */
export default defineConfig({
  cwd: import.meta.dirname,
  input: {
    main: 'packages/cli/src/main.ts',
    // The service starts these by their file names.
    'reaper-main': 'packages/service/src/start/process/reaper-main.ts',
    'plan-thread-main': 'packages/service/src/jobs/ffmpeg/plan-thread-main.ts',
    'checkpoint-main': 'packages/service/src/store/sqlite/checkpoint-main.ts',
    'reference-thread-main': 'packages/service/src/http/openapi/reference-thread-main.ts',
  },
  platform: 'node',
  // The other form of jsonc-parser calls a `require` that it was handed, which nothing can follow.
  resolve: { mainFields: ['module', 'main'] },
  onwarn: failOnWarning,
  plugins: [leaveOut, recordSources(import.meta.dirname), licences()],
  // Not minified: stacks must be readable.
  output: { dir: 'dist', cleanDir: true, comments: false, charset: 'ascii' },
});

/** Of packages that ship no licence text: where their own pages say it is. */
const TEXT_ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['abstract-logging', 'http://jsumners.mit-license.org/'],
  ['saxes', 'https://github.com/lddubeau/saxes/blob/v6.0.0/LICENSE'],
]);

/** Packages whose licence text is the last section of their README. */
const TEXT_IN_README: ReadonlySet<string> = new Set(['mime-match', 'pg-types', 'pgpass', 'wildcard']);

/** Packages without a text, and a package of the same project whose text is that of all. */
const TEXT_OF_PROJECT: ReadonlyMap<string, string> = new Map([
  ...['credential-provider-http', 'credential-provider-login', 'nested-clients'].map(
    (name) => [`@aws-sdk/${name}`, '@aws-sdk/client-s3'] as const,
  ),
  ['@tus/utils', '@tus/server'],
]);

function projectText(name: string): string | undefined {
  const project = TEXT_OF_PROJECT.get(name);
  return project && readFileSync(join(import.meta.dirname, 'node_modules', project, 'LICENSE'), 'utf8').trim();
}

function readmeText(name: string): string | undefined {
  if (!TEXT_IN_README.has(name)) return undefined;
  const readme = readFileSync(join(import.meta.dirname, 'node_modules', name, 'README.md'), 'utf8');
  return /^## licen[sc]e(?:\(s\))?\n(.*Permission (?:is hereby granted|to use).*)$/ims.exec(readme)?.[1]?.trim();
}

/** Throws where a package has none: its licence asks for the text. */
function textOf({ name, licenseText }: LicenseInfo): string {
  const text = licenseText.trim() || TEXT_ELSEWHERE.get(name) || projectText(name) || readmeText(name);
  if (text === undefined) throw new Error(`${name} ships no text of its licence.`);
  return text;
}

/** The line between two packages in THIRD-PARTY-LICENSES. */
export const NOTICE_SEPARATOR = `\n${'-'.repeat(80)}\n\n`;

function notices(packages: readonly LicenseInfo[]): string {
  return packages
    .map((of) => `${of.name} ${of.version} (${of.license})\n\n${textOf(of)}\n`)
    .toSorted(byText)
    .join(NOTICE_SEPARATOR);
}

/** Not by locale: the order must be the same on each machine. */
const byText = (a: string, b: string): number => (a < b ? -1 : 1);
