// npm run test:debian13 -- [--no-namespaces] [--system-only] [arguments of vitest]: runs tests with the tools of Debian 13
// (ffmpeg 7.1, util-linux 2.41), where both layers of the sandbox work. With --no-namespaces bubblewrap may create no
// namespaces, as in most containers: tests that need it are skipped, and services confine ffmpeg by Landlock. With
// --system-only, the files that find the same on each system are left out. A script runs instead of the tests if it is named first:
// node scripts/test-debian-13.ts scripts/test-outcomes.ts --seed 1. Needs root.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { installPrograms } from './image/docker.ts';

/** The packages of the programs that the tests call. */
const PACKAGES =
  'util-linux,ffmpeg,bubblewrap,perl-base,curl,openssl,findutils,git,procps,gcc,libc6-dev,jq,sqlite3,fonts-dejavu-core,prometheus';
const INSIDE = 'TELECINE_DEBIAN_13_MOUNTS';
/** A file in the created system that lists the packages of the system. */
const MARK = 'etc/telecine-packages';
const NO_NAMESPACES = '--no-namespaces';
const SYSTEM_ONLY = '--system-only';
const OWN_OPTIONS: readonly string[] = [NO_NAMESPACES, SYSTEM_ONLY];

const repository = resolve(import.meta.dirname, '..');
// Another clone may be running its tests in a system with other packages, so each list of packages has its own folder.
const hash = createHash('sha256').update(PACKAGES).digest('hex').slice(0, 12);
const system = resolve(process.env['TELECINE_DEBIAN_13'] ?? join(tmpdir(), `telecine-debian-13-${hash}`));
const args = process.argv.slice(2);

if (process.getuid?.() !== 0) {
  console.error('npm run test:debian13 needs root, because it creates a Debian 13 system and runs the tests in it.');
  process.exit(2);
}
if (process.env[INSIDE] === undefined) {
  if (!existsSync(system)) makeSystem();
  else if (packagesOfSystem() !== PACKAGES) {
    // Do not remove it: tests that run in it are mounted in a namespace that this process cannot see.
    console.error(
      `${system} is not a system with the packages of these tests. Name another folder in TELECINE_DEBIAN_13.`,
    );
    process.exit(2);
  }
  // Run this script again in its own mount namespace, so that the mounts below end with it.
  const again = ['--mount', '--propagation', 'private', process.execPath, import.meta.filename, ...args];
  const { status } = spawnSync('unshare', again, { stdio: 'inherit', env: { ...process.env, [INSIDE]: '1' } });
  process.exit(status ?? 1);
}

const modules = realpathSync(join(repository, 'node_modules'));
const node = resolve(process.execPath, '../..');
const npm = findNpm();
for (const folder of new Set([
  '/proc',
  '/sys',
  '/dev',
  repository,
  modules,
  node,
  ...(npm === undefined ? [] : [npm]),
])) {
  mkdirSync(join(system, folder), { recursive: true });
  execFileSync('mount', ['--rbind', folder, join(system, folder)]);
}
if (npm !== undefined) {
  const link = join(system, 'usr/local/bin/npm');
  rmSync(link, { force: true });
  symlinkSync(join(npm, 'bin/npm-cli.js'), link);
}

const others = args.filter((arg) => !OWN_OPTIONS.includes(arg));
const tests = others[0]?.startsWith('scripts/') ? others : [join(modules, 'vitest/vitest.mjs'), 'run', ...others];
const inside = ['--chdir', repository, process.execPath, ...tests];
const env = {
  TELECINE_TEST_ROWS: 'all',
  ...(args.includes(SYSTEM_ONLY) && { TELECINE_TEST_SYSTEM_ONLY: '1' }),
  PATH: [dirname(process.execPath), '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'].join(delimiter),
  HOME: '/root',
  LANG: 'C.UTF-8',
  // With CI set, a test whose tool is missing fails. Without namespaces, tests are meant to be skipped.
  ...(process.env['CI'] !== undefined && !args.includes(NO_NAMESPACES) && { CI: process.env['CI'] }),
};
const options = { stdio: 'inherit', env } as const;
if (args.includes(NO_NAMESPACES)) {
  // Use chroot, in which the kernel denies user namespaces to a process.
  process.exit(spawnSync('chroot', [system, '/usr/bin/env', ...inside], options).status ?? 1);
}
// pivot_root also moves the root of this process. It needs a root that is a mount point.
process.chdir('/');
execFileSync('mount', ['--rbind', system, system]);
process.chdir(system);
execFileSync('pivot_root', ['.', 'mnt']);
process.chdir('/');
execFileSync('umount', ['--lazy', '/mnt']);
process.exit(spawnSync('/usr/bin/env', inside, options).status ?? 1);

/** Creates the file system of Debian 13. The folder gets its final name only when it is complete. */
function makeSystem(): void {
  installPrograms({ mmdebstrap: 'mmdebstrap' });
  const unfinished = `${system}.${process.pid}`;
  const options = ['--variant=minbase', `--include=${PACKAGES}`, 'trixie', unfinished];
  execFileSync('mmdebstrap', options, { stdio: 'inherit' });
  writeFileSync(join(unfinished, MARK), PACKAGES);
  try {
    renameSync(unfinished, system);
  } catch (error) {
    // Another run may have created it meanwhile.
    if (packagesOfSystem() !== PACKAGES) throw error;
    rmSync(unfinished, { recursive: true });
  }
}

/** The packages with which the system was created. undefined: there is none. */
function packagesOfSystem(): string | undefined {
  const mark = join(system, MARK);
  return existsSync(mark) ? readFileSync(mark, 'utf8') : undefined;
}

/** The folder of the npm that developers use. The npm of Debian would install hundreds of packages. */
function findNpm(): string | undefined {
  const file = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'npm'))
    .find(existsSync);
  return file === undefined ? undefined : resolve(realpathSync(file), '../..');
}
