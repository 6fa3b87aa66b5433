// npm run test:image -- [IMAGE]: checks the container image, in a container without any security option.
//
// With IMAGE, it checks that image in the running Docker. Without, it needs root and no registry: it starts its own
// Docker daemon, creates substitutes for the base images, builds the Dockerfile, and stops the daemon at the end.
// Images stay in a folder, so that the next run is faster.
import { execFileSync, spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeBaseImages } from './image/base-images.ts';
import { installPrograms, startDocker } from './image/docker.ts';

/** Tests that run inside the container, where a default container denies what the sandbox may need. */
const INSIDE = [
  ...['layers', 'hostile', 'seccomp', 'sandbox', 'run', 'orphans'].map((name) => `test/integration/${name}.test.ts`),
  ...['hostile', 'hostile-ffmpeg', 'isolation', 'common-requests', 'conversions', 'policy', 'filter-files'].map(
    (name) => `test/e2e/${name}.test.ts`,
  ),
];

const repository = resolve(import.meta.dirname, '..');
const modules = realpathSync(join(repository, 'node_modules'));
const [given] = process.argv.slice(2);

if (given !== undefined) process.exit(check(given, process.env));
if (process.getuid?.() !== 0) {
  console.error('npm run test:image needs root to start Docker. To check a built image: npm run test:image -- IMAGE');
  process.exit(2);
}
installPrograms({ dockerd: 'docker.io', docker: 'docker.io', mmdebstrap: 'mmdebstrap' });
const docker = await startDocker(process.env['TELECINE_IMAGE_TEST'] ?? join(tmpdir(), 'telecine-image-test'));
process.once('SIGINT', () => undefined);
try {
  if (!hasImage('node:24-trixie-slim', docker.env)) makeBaseImages(docker.env);
  build('telecine', repository, docker.env);
  process.exitCode = check('telecine', docker.env);
} finally {
  await docker.stop();
}

function hasImage(image: string, env: NodeJS.ProcessEnv): boolean {
  return spawnSync('docker', ['image', 'inspect', image], { env, stdio: 'ignore' }).status === 0;
}

function build(tag: string, folder: string, env: NodeJS.ProcessEnv, more: readonly string[] = []): void {
  execFileSync('docker', ['build', '--network', 'host', '--tag', tag, ...more, folder], { env, stdio: 'inherit' });
}

/** Runs the tests that call the image from outside, then the tests inside the container. Returns the exit code. */
function check(image: string, env: NodeJS.ProcessEnv): number {
  const vitest = join(modules, 'vitest/vitest.mjs');
  const outside = spawnSync(process.execPath, [vitest, 'run', '--project', 'image'], {
    stdio: 'inherit',
    cwd: repository,
    env: { ...env, TELECINE_TEST_IMAGE: image },
  });
  const tests = `${image.replace(/@.*/, '')}-tests`;
  build(tests, join(repository, 'test/image'), env, ['--build-arg', `IMAGE=${image}`]);
  // Mount read-only: tests write only to /tmp of the container.
  const folders = [...new Set([repository, modules])];
  const inside = spawnSync(
    'docker',
    [
      ...['run', '--rm', '--init', '--network', 'none', '--workdir', repository],
      ...folders.flatMap((folder) => ['--volume', `${folder}:${folder}:ro`]),
      ...[tests, 'node', vitest, 'run', ...['--cache=false', '--configLoader', 'native'], ...INSIDE],
    ],
    { stdio: 'inherit', env },
  );
  return outside.status === 0 && inside.status === 0 ? 0 : 1;
}
