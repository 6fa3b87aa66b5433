import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject, test } from 'vitest';
import { onPath } from '../../scripts/setup/command.ts';
import { postgresPrograms } from '../../scripts/setup/postgres.ts';
import { hasRadosgw } from '../../scripts/setup/tools.ts';
import { olderNode } from './older-node.ts';

interface Need {
  isMet(): boolean;
  /** What to install or to change. Printed where the need is not met. */
  readonly fix: string;
  /**
   * Why a CI machine may lack it. Omit it for what the set-up can install: a test then fails in CI instead of being
   * skipped unnoticed.
   */
  readonly optionalInCi?: string;
}

const NEEDS = {
  ffmpeg: { isMet: () => inject('tools')?.supported === true, fix: 'ffmpeg 5.1 or newer: apt-get install ffmpeg' },
  'any ffmpeg': { isMet: () => inject('tools') !== undefined, fix: 'ffmpeg: apt-get install ffmpeg' },
  bubblewrap: {
    isMet: hasBubblewrap,
    fix: 'a working bubblewrap: apt-get install bubblewrap, and allow user namespaces',
  },
  /** The sandbox that the service finds with TELECINE_SANDBOX=required. */
  sandbox: {
    isMet: () => hasBubblewrap() || hasLandlock(),
    fix: 'bubblewrap and user namespaces, or util-linux 2.41 on a kernel with Landlock',
  },
  landlock: {
    isMet: hasLandlock,
    fix: 'util-linux 2.41 or newer on a kernel with Landlock: npm run test:debian13 -- FILE runs a test with them',
    optionalInCi: 'Debian 12 and Ubuntu 24.04 have an older util-linux.',
  },
  'the manual of ffmpeg': {
    isMet: () => inject('manual') !== undefined,
    fix: "ffmpeg's manual as HTML, and an ffmpeg of which a recording exists: apt-get install ffmpeg-doc",
  },
  'a C compiler': { isMet: () => onPath('cc') !== undefined, fix: 'a C compiler: apt-get install gcc libc6-dev' },
  sqlite3: { isMet: () => onPath('sqlite3') !== undefined, fix: 'sqlite3: apt-get install sqlite3' },
  PostgreSQL: {
    isMet: () => postgresPrograms() !== undefined,
    fix: 'the server of PostgreSQL 15 or newer: apt-get install postgresql',
  },
  PgBouncer: { isMet: () => onPath('pgbouncer') !== undefined, fix: 'PgBouncer: apt-get install pgbouncer' },
  'an S3 server': {
    isMet: hasRadosgw,
    fix: "Ceph's RADOS gateway: apt-get install --no-install-recommends ceph-mon ceph-osd radosgw",
  },
  'FUSE mounts': {
    isMet: () => process.getuid?.() === 0 && existsSync('/dev/fuse') && onPath('mergerfs') !== undefined,
    fix: 'root, /dev/fuse, and mergerfs: apt-get install mergerfs fuse3',
    optionalInCi: 'Most containers have no /dev/fuse.',
  },
  Chromium: {
    isMet: () => onPath('chromium') !== undefined,
    fix: 'Chromium: apt-get install chromium',
  },
  rsync: { isMet: () => onPath('rsync') !== undefined, fix: 'rsync: apt-get install rsync' },
  curl: { isMet: () => onPath('curl') !== undefined, fix: 'curl: apt-get install curl' },
  jq: { isMet: () => onPath('jq') !== undefined, fix: 'jq: apt-get install jq' },
  'requests of Python': {
    isMet: () => succeeds('python3', ['-c', 'import requests']),
    fix: "Python's requests: apt-get install python3-requests",
    optionalInCi: 'The set-up does not install it; only an example in Python uses it.',
  },
  Prometheus: { isMet: () => onPath('prometheus') !== undefined, fix: 'Prometheus: apt-get install prometheus' },
  promtool: { isMet: () => onPath('promtool') !== undefined, fix: 'promtool: apt-get install prometheus' },
  perl: { isMet: () => existsSync('/usr/bin/perl'), fix: 'perl: apt-get install perl-base' },
  x64: {
    isMet: () => process.platform === 'linux' && process.arch === 'x64',
    fix: 'Linux on an x64 machine',
    optionalInCi: 'An interpreter decides the filter of system calls for the other architecture.',
  },
  linux: {
    isMet: () => process.platform === 'linux',
    fix: 'Linux',
    optionalInCi: 'Developers use macOS; the sandbox and /proc exist on Linux only.',
  },
  'ffmpeg 7.1': {
    isMet: () => isAtLeast(inject('tools')?.version, [7, 1]),
    fix: 'ffmpeg 7.1 or newer: npm run test:debian13 -- FILE runs a test with it',
    optionalInCi: 'Debian 12 and Ubuntu 24.04 have an older ffmpeg.',
  },
  'the ffmpeg of Debian 12': {
    isMet: () => inject('tools')?.version.includes('deb12') === true,
    fix: 'ffmpeg 5.1 as Debian 12 packages it, whose side effects are recorded',
    optionalInCi: 'Other distributions package other versions.',
  },
  'an older Node': {
    isMet: () => olderNode() !== undefined,
    fix: 'a Node 20 to 23 on PATH',
    optionalInCi: 'Images with the current Node have no other, and Debian packages none of these versions.',
  },
  'an image': {
    isMet: () => (process.env['TELECINE_TEST_IMAGE'] ?? '') !== '',
    fix: 'a container image: npm run test:image builds one and runs these tests',
    optionalInCi: 'It needs Docker, and takes minutes.',
  },
  root: { isMet: () => process.getuid?.() === 0, fix: 'root', optionalInCi: 'CI may run as an ordinary user.' },
  'another user': {
    isMet: canBecomeNobody,
    fix: 'root, and a checkout that the user nobody may read',
    optionalInCi: 'CI may run as an ordinary user, or in a home folder that only its owner may read.',
  },
  mounting: {
    isMet: canMount,
    fix: 'root with the right to mount a small disk',
    optionalInCi: 'Unprivileged containers forbid mount(2).',
  },
  'access times': {
    isMet: recordsAccessTimes,
    fix: 'a temporary folder on a disk that is not mounted with noatime',
    optionalInCi: 'The host decides how its disks are mounted.',
  },
  systemd: {
    isMet: () => existsSync('/lib/systemd/systemd'),
    fix: 'systemd, which need not run: apt-get install systemd',
    optionalInCi: 'Containers lack it, and only the documented unit needs it.',
  },
  'cgroup v2': {
    isMet: () => cgroupMount() !== undefined && canBecomeNobody(),
    fix: 'root and a writable cgroup v2 file system',
    optionalInCi: 'Containers see the groups of their host read-only.',
  },
  'controllers of cgroup v2': {
    isMet: () => ['memory', 'pids'].every((name) => cgroupMount()?.controllers.includes(name) === true),
    fix: 'a kernel whose memory and pids controllers are not bound to cgroup v1 (systemd.unified_cgroup_hierarchy=1)',
    optionalInCi: 'Older machines bind them to cgroup v1.',
  },
  'another disk': {
    isMet: () => existsSync(OTHER_DISK),
    fix: 'a second file system at /dev/shm',
    optionalInCi: 'Some containers have no /dev/shm.',
  },
  'protected links': {
    isMet: protectsHardLinks,
    fix: 'sysctl fs.protected_hardlinks=1',
    optionalInCi: 'It is a setting of the kernel, which containers share with their host.',
  },
} as const satisfies Record<string, Need>;

/** Whether the version of a release, such as `7.1.1-1+b1` or `n8.0`, is this one or a later one. */
function isAtLeast(version = '', [major, minor]: readonly [number, number]): boolean {
  const [, own, of] = /^n?(\d+)\.(\d+)/.exec(version) ?? [];
  return Number(own) > major || (Number(own) === major && Number(of) >= minor);
}

/** A second file system on every Linux, so that links to it from elsewhere fail with EXDEV. */
export const OTHER_DISK = '/dev/shm';

/** Runs the following command as the user nobody of Debian. */
export const AS_NOBODY = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--'] as const;

function canBecomeNobody(): boolean {
  const [file, ...args] = AS_NOBODY;
  return succeeds(file, [...args, process.execPath, '--check', import.meta.filename]);
}

/** The cgroup v2 file system, and the controllers that its top group can pass on. */
export function cgroupMount(): { readonly path: string; readonly controllers: readonly string[] } | undefined {
  if (process.platform !== 'linux') return undefined;
  const path = / \/\S* (\/\S*) .* - cgroup2 /.exec(readFileSync('/proc/self/mountinfo', 'utf8'))?.[1];
  if (path === undefined || !isWritable(path)) return undefined;
  return { path, controllers: readFileSync(join(path, 'cgroup.controllers'), 'utf8').trim().split(' ') };
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function canMount(): boolean {
  return succeeds('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']);
}

function hasBubblewrap(): boolean {
  return inject('tools')?.bubblewrap === true;
}

/** Whether setpriv can confine a program by Landlock. */
function hasLandlock(): boolean {
  const rule = ['--landlock-rule', 'path-beneath:execute,read-file,read-dir:/'];
  return succeeds('setpriv', ['--no-new-privs', '--landlock-access', 'fs', ...rule, 'true']);
}

function succeeds(file: string, args: readonly string[]): boolean {
  try {
    execFileSync(file, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** The kernel then rejects link(2) on another user's file with EPERM, as file systems without hard links do. */
function protectsHardLinks(): boolean {
  const setting = '/proc/sys/fs/protected_hardlinks';
  return existsSync(setting) && readFileSync(setting, 'utf8').trim() === '1';
}

function recordsAccessTimes(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'telecine-atime-'));
  try {
    const file = join(folder, 'read');
    writeFileSync(file, 'read');
    utimesSync(file, 0, statSync(file).mtime);
    readFileSync(file);
    return statSync(file).atimeMs !== 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export type NeedName = keyof typeof NEEDS;

const isCi = !['', '0', 'false'].includes(process.env['CI'] ?? '');

const results = new Map<NeedName, boolean>();

/** Checked once per process: some checks start a program. */
export function isMet(name: NeedName): boolean {
  const result = results.get(name) ?? NEEDS[name].isMet();
  results.set(name, result);
  return result;
}

/** Each unmet need is printed once per process. */
const reported = new Set<string>();

/**
 * `test` for tests that need what a machine may lack: `needs('sandbox')('…', async () => …)`. Without it they are
 * skipped, and standard error says what to install. Under CI (`CI=true`) the whole file fails instead, except where
 * `optionalInCi` gives a reason.
 */
export function needs(...names: readonly NeedName[]) {
  // The sandbox runs ffmpeg.
  const all = new Set<NeedName>(
    names.includes('sandbox') || names.includes('bubblewrap') ? ['ffmpeg', ...names] : names,
  );
  const { database, storage } = inject('engines') ?? {};
  if (database === 'postgres') all.add('PostgreSQL');
  if (storage === 's3') all.add('an S3 server');
  const unmet = [...all].filter((name) => !isMet(name)).map((name): Need => NEEDS[name]);
  const required = isCi ? unmet.filter(({ optionalInCi }) => optionalInCi === undefined) : [];
  if (required.length > 0)
    throw new Error(`Under CI tests are not skipped. These need ${required.map(({ fix }) => fix).join('; ')}`);
  for (const { fix } of unmet) {
    if (!reported.has(fix)) process.stderr.write(`\n!!! SKIPPING TESTS: they need ${fix}\n`);
    reported.add(fix);
  }
  return test.skipIf(unmet.length > 0);
}
