// npm run test:debian13 -- [arguments of vitest]: runs tests with the tools of Debian 13 (ffmpeg 7.1, util-linux 2.41).
// Needs root and mmdebstrap. A chroot may create no user namespaces, like most containers, so the sandbox is Landlock.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, realpathSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const PACKAGES = 'util-linux,ffmpeg,bubblewrap,perl-base,curl,findutils,git,procps';
const INSIDE = 'TELECINE_DEBIAN_13_MOUNTS';

const repository = resolve(import.meta.dirname, '..');
const system = process.env['TELECINE_DEBIAN_13'] ?? join(tmpdir(), 'telecine-debian-13');

if (process.getuid?.() !== 0) {
  console.error('npm run test:debian13 needs root, because it makes and enters a Debian 13 system.');
  process.exit(2);
}
if (process.env[INSIDE] === undefined) {
  if (!existsSync(system)) makeSystem();
  // Run this script again in its own mount namespace, so that the mounts below end with it.
  const unshareArguments = [
    '--mount',
    '--propagation',
    'private',
    process.execPath,
    import.meta.filename,
    ...process.argv.slice(2),
  ];
  const { status } = spawnSync('unshare', unshareArguments, {
    stdio: 'inherit',
    env: { ...process.env, [INSIDE]: '1' },
  });
  process.exit(status ?? 1);
}

const modules = realpathSync(join(repository, 'node_modules'));
for (const folder of new Set(['/proc', '/sys', '/dev', repository, modules, resolve(process.execPath, '../..')])) {
  mkdirSync(join(system, folder), { recursive: true });
  execFileSync('mount', ['--rbind', folder, join(system, folder)]);
}
const vitest = join(modules, 'vitest/vitest.mjs');
const inside = ['--chdir', repository, process.execPath, vitest, 'run', ...process.argv.slice(2)];
const { status } = spawnSync('chroot', [system, '/usr/bin/env', ...inside], {
  stdio: 'inherit',
  env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin', HOME: '/root', LANG: 'C.UTF-8' },
});
process.exit(status ?? 1);

/** Creates the file system of Debian 13. The folder gets its final name only when it is complete. */
function makeSystem(): void {
  const unfinished = `${system}.${process.pid}`;
  const options = ['--variant=minbase', `--include=${PACKAGES}`, 'trixie', unfinished];
  execFileSync('mmdebstrap', options, { stdio: 'inherit' });
  renameSync(unfinished, system);
}
