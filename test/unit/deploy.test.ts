import { execFileSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { SETTINGS } from '../../packages/service/src/config/settings.ts';
import { linksOf } from '../../scripts/docs/links.ts';

const repository = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');

/** Time for ffmpeg to end and for open replies, after the drain. */
const CLOSE_SECONDS = 10;
const DEFAULT_DRAIN_SECONDS = Number(SETTINGS.drainSeconds.fallback);

const files = readdirSync(join(repository, 'deploy'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(repository.length + 1));

test.each(files)('%s names only settings that exist', (file) => {
  const known = new Set<string>(Object.values(SETTINGS).flatMap(({ names }): readonly string[] => names));
  const named = read(file).match(/\bTELECINE_[A-Z_]+[A-Z]\b/g) ?? [];
  // Compose's own variables.
  const ours = named.filter((name) => name !== 'TELECINE_IMAGE');
  expect(ours.filter((name) => !known.has(name))).toEqual([]);
});

interface ComposeService {
  readonly stop_grace_period?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

test('compose gives API servers and workers time to drain', () => {
  const { services } = parse(read('deploy/compose/compose.yaml'), { merge: true }) as {
    services: Readonly<Record<'api' | 'worker', ComposeService>>;
  };
  const graceOf = ({ stop_grace_period: grace = '' }: ComposeService) => Number(grace.replace(/s$/, ''));
  // An API server has no jobs to wait for.
  expect(graceOf(services.api)).toBeGreaterThan(CLOSE_SECONDS);
  const drain = Number(services.worker.environment?.['TELECINE_DRAIN_SECONDS'] ?? DEFAULT_DRAIN_SECONDS);
  expect(graceOf(services.worker)).toBeGreaterThanOrEqual(drain + CLOSE_SECONDS);
});

test('Kubernetes gives API servers and workers time to drain', () => {
  const pods = parseAllDocuments(read('deploy/kubernetes/telecine.yaml'))
    .map((document) => document.toJS())
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec.template.spec);
  expect(pods).toHaveLength(2);
  for (const { terminationGracePeriodSeconds, containers } of pods) {
    const [{ args, env = [], lifecycle }] = containers;
    const pause = lifecycle?.preStop.sleep.seconds ?? 0;
    const set = env.find(({ name }: { name: string }) => name === 'TELECINE_DRAIN_SECONDS')?.value;
    const drain = args.includes('worker') ? Number(set ?? DEFAULT_DRAIN_SECONDS) : 0;
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(pause + drain + CLOSE_SECONDS);
  }
});

test.each(['telecine', 'telecine-api', 'telecine-worker'])('systemd gives %s.service time to drain', (name) => {
  const unit = read(`deploy/systemd/${name}.service`);
  const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]);
  const drain = Number(/TELECINE_DRAIN_SECONDS=(\d+)/.exec(unit)?.[1] ?? DEFAULT_DRAIN_SECONDS);
  expect(stop).toBeGreaterThanOrEqual(drain + CLOSE_SECONDS);
});

test('the package has each file that its pages about operation name', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] };
  const isPacked = (path: string): boolean => files.some((name) => path === name || path.startsWith(`${name}/`));
  const pages = globSync(['docs/operate/*.md', 'deploy/**/*.md'], { cwd: repository });
  const missing = pages.flatMap((page) => linksOf(repository, page).filter(({ path }) => !isPacked(path)));
  expect(missing).toEqual([]);
});

test('npm on Node 18 leaves out no optional package', () => {
  const scan = execFileSync(process.execPath, ['scripts/scan-lock.mjs', 'package-lock.json'], { cwd: repository });
  expect(scan.toString().match(/remove "engines".*/g)).toBeNull();
});

test('nginx, as the manual configures it, logs no signed link and every other path', () => {
  const [, expression = '', replacement = ''] =
    /map \$uri \$logged_uri \{\s*"~([^"]+)" "([^"]+)";/.exec(read('docs/operate/proxy.md')) ?? [];
  const logged = (path: string): string =>
    path.replace(new RegExp(expression), replacement.replaceAll(/\$(before|after)/g, '$<$1>'));
  expect(logged('/api/conversion/J/links/SECRET/links/out.mp4')).toBe('/api/conversion/J/links/(hidden)/links/out.mp4');
  expect(logged('/telecine/api/conversion/J/links/SECRET/hls/links/a/b.ts')).toBe(
    '/telecine/api/conversion/J/links/(hidden)/hls/links/a/b.ts',
  );
  expect(logged('/api/files/links/a/b.mp4')).toBe('/api/files/links/a/b.mp4');
});

// The benches measure the service as it is started here.
test.each([
  ...['telecine', 'telecine-api', 'telecine-worker'].map((name) => `deploy/systemd/${name}.service`),
  ...['Dockerfile', 'package.json', 'docs/operate/install.md', 'bench/support/service.ts'],
])('%s starts the service with the same limits of memory', (file) => {
  expect(new Set(read(file).match(/--max-semi-space-size=\d+/g))).toEqual(new Set(['--max-semi-space-size=16']));
  expect(
    new Set(
      read(file)
        .match(/MALLOC_ARENA_MAX\W+\d+/g)
        ?.map((text) => text.slice(-1)),
    ),
  ).toEqual(new Set(['2']));
});
