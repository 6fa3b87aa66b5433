import { setTimeout as delay } from 'node:timers/promises';
import { command, type Outcome, onPath } from './command.ts';

/** The system's package manager. This user may install with it. */
export interface PackageManager {
  readonly name: 'apt-get' | 'dnf' | 'brew';
  /** Installs all of them in one run, or fails. */
  install(...tools: readonly SystemTool[]): Promise<Outcome>;
}

export type SystemTool =
  | 'ffmpeg'
  | 'bubblewrap'
  | 'curl'
  | 'chromium'
  | 'ffmpeg-doc'
  | 'postgresql'
  | 'radosgw'
  | 'pgbouncer'
  | 'mergerfs'
  | 'libfaketime'
  | 'prometheus'
  | 'gcc'
  | 'jq'
  | 'rsync'
  | 'sqlite3';

/** How long to wait while another process installs packages. */
const LOCK_SECONDS = 120;

/** Finds the package manager that this user may use without a password. Returns undefined if there is none. */
export async function packageManager(): Promise<PackageManager | undefined> {
  if (onPath('brew') !== undefined && process.getuid?.() !== 0) return brew();
  const root = await becomeRoot();
  if (root === undefined) return undefined;
  if (onPath('apt-get') !== undefined) return apt(root);
  if (onPath('dnf') !== undefined) return dnf(root);
  return undefined;
}

/** The prefix of a command that needs root: empty, or `sudo -n`. Returns undefined if this user cannot become root. */
async function becomeRoot(): Promise<readonly string[] | undefined> {
  if (process.getuid?.() === 0) return [];
  const sudo = onPath('sudo');
  return sudo !== undefined && (await command(sudo, ['-n', 'true'])).ok ? [sudo, '-n'] : undefined;
}

function asRoot(root: readonly string[], argv: readonly string[]): Promise<Outcome> {
  const [file = '', ...args] = [...root, ...argv];
  return command(file, args, { DEBIAN_FRONTEND: 'noninteractive' });
}

function apt(root: readonly string[]): PackageManager {
  const lock = ['-o', `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
  const options = ['install', '-y', '-q', '--no-install-recommends'];
  const packages = {
    ffmpeg: ['ffmpeg'],
    bubblewrap: ['bubblewrap', 'util-linux'],
    curl: ['curl'],
    chromium: ['chromium'],
    'ffmpeg-doc': ['ffmpeg-doc'],
    postgresql: ['postgresql'],
    radosgw: ['ceph-mon', 'ceph-osd', 'radosgw'],
    pgbouncer: ['pgbouncer'],
    mergerfs: ['mergerfs', 'fuse3'],
    libfaketime: ['libfaketime'],
    prometheus: ['prometheus'],
    gcc: ['gcc', 'libc6-dev'],
    jq: ['jq'],
    rsync: ['rsync'],
    sqlite3: ['sqlite3'],
  };
  return {
    name: 'apt-get',
    async install(...tools) {
      const install = () =>
        retryWhileLocked(() =>
          asRoot(root, ['apt-get', ...lock, ...options, ...tools.flatMap((tool) => packages[tool])]),
        );
      const first = await install();
      if (first.ok) return first;
      // Package lists may be missing or stale. Fetching them takes seconds, so try to install without them first.
      const lists = await retryWhileLocked(() => asRoot(root, ['apt-get', ...lock, 'update', '-q']));
      return lists.ok ? install() : lists;
    },
  };
}

/** Retries while another process holds the lock of the package lists. apt itself waits only for the lock of dpkg. */
async function retryWhileLocked(run: () => Promise<Outcome>): Promise<Outcome> {
  const deadline = performance.now() + LOCK_SECONDS * 1000;
  for (;;) {
    const outcome = await run();
    if (outcome.ok || !/Could not get lock/.test(outcome.text) || performance.now() > deadline) return outcome;
    await delay(500);
  }
}

const DEBIAN_ONLY = ['ffmpeg-doc', 'radosgw', 'mergerfs'] as const;

type DebianOnly = (typeof DEBIAN_ONLY)[number];

const isDebianOnly = (tool: SystemTool): tool is DebianOnly => DEBIAN_ONLY.some((name) => name === tool);

const NOT_DEBIAN: Outcome = { ok: false, text: 'this set-up installs it from packages of Debian only' };

function dnf(root: readonly string[]): PackageManager {
  const packages = {
    ffmpeg: ['ffmpeg-free'],
    bubblewrap: ['bubblewrap', 'util-linux'],
    curl: ['curl'],
    chromium: ['chromium'],
    postgresql: ['postgresql-server'],
    pgbouncer: ['pgbouncer'],
    libfaketime: ['libfaketime'],
    prometheus: ['golang-github-prometheus'],
    gcc: ['gcc', 'glibc-devel'],
    jq: ['jq'],
    rsync: ['rsync'],
    sqlite3: ['sqlite'],
  };
  return {
    name: 'dnf',
    async install(...tools) {
      const known = tools.filter((tool): tool is Exclude<SystemTool, DebianOnly> => !isDebianOnly(tool));
      if (known.length < tools.length) return NOT_DEBIAN;
      return asRoot(root, ['dnf', 'install', '-y', '-q', ...known.flatMap((tool) => packages[tool])]);
    },
  };
}

function brew(): PackageManager {
  return {
    name: 'brew',
    install: async (...tools) =>
      tools.includes('bubblewrap')
        ? { ok: false, text: 'bubblewrap exists only for Linux' }
        : tools.some(isDebianOnly)
          ? NOT_DEBIAN
          : command('brew', ['install', '--quiet', ...tools]),
  };
}
