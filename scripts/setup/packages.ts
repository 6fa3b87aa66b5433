import { setTimeout as delay } from 'node:timers/promises';
import { command, type Outcome, onPath } from './command.ts';

/** The system's package manager, with the right to install already made sure of. */
export interface PackageManager {
  readonly name: 'apt-get' | 'dnf' | 'brew';
  install(tool: SystemTool): Promise<Outcome>;
}

export type SystemTool = 'ffmpeg' | 'bubblewrap';

/** How long to wait for another installation that holds the system's lock. */
const LOCK_SECONDS = 120;

/** The package manager that this user may use without a password; undefined where there is none. */
export async function packageManager(): Promise<PackageManager | undefined> {
  if (onPath('brew') !== undefined && process.getuid?.() !== 0) return brew();
  const root = await becomeRoot();
  if (root === undefined) return undefined;
  if (onPath('apt-get') !== undefined) return apt(root);
  if (onPath('dnf') !== undefined) return dnf(root);
  return undefined;
}

/** What goes before a command that needs root: nothing, or `sudo -n`. undefined: it cannot be had. */
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
  const packages = { ffmpeg: ['ffmpeg'], bubblewrap: ['bubblewrap', 'util-linux'] };
  return {
    name: 'apt-get',
    async install(tool) {
      const install = () =>
        patient(() =>
          asRoot(root, ['apt-get', ...lock, 'install', '-y', '-q', '--no-install-recommends', ...packages[tool]]),
        );
      const first = await install();
      if (first.ok) return first;
      // A fresh machine has no package lists, an old one stale ones: fetched only when they turn out to be needed.
      const lists = await patient(() => asRoot(root, ['apt-get', ...lock, 'update', '-q']));
      return lists.ok ? install() : lists;
    },
  };
}

/** apt waits by itself for dpkg's lock but not for that of its package lists: tries again while another holds it. */
async function patient(run: () => Promise<Outcome>): Promise<Outcome> {
  const deadline = performance.now() + LOCK_SECONDS * 1000;
  for (;;) {
    const outcome = await run();
    if (outcome.ok || !/Could not get lock/.test(outcome.text) || performance.now() > deadline) return outcome;
    await delay(500);
  }
}

function dnf(root: readonly string[]): PackageManager {
  const packages = { ffmpeg: ['ffmpeg-free'], bubblewrap: ['bubblewrap', 'util-linux'] };
  return { name: 'dnf', install: (tool) => asRoot(root, ['dnf', 'install', '-y', '-q', ...packages[tool]]) };
}

function brew(): PackageManager {
  return {
    name: 'brew',
    install: async (tool) =>
      tool === 'bubblewrap'
        ? { ok: false, text: 'bubblewrap exists for Linux only' }
        : command('brew', ['install', '--quiet', tool]),
  };
}
