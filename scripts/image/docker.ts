import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onPath } from '../setup/command.ts';

const START_SECONDS = 60;
const STOP_SECONDS = 30;

/** How long to wait while another process installs packages. */
const LOCK_SECONDS = 300;

/** A Docker daemon of this script. It does not see other images and containers of the machine. */
export interface OwnDocker {
  /** The environment in which the command `docker` uses this daemon. */
  readonly env: NodeJS.ProcessEnv;
  /** Ends the daemon and, with it, its containers. Images stay in the folder. */
  stop(): Promise<void>;
}

/** Installs Debian's packages of those commands that are missing. Needs root. */
export function installPrograms(packages: Readonly<Record<string, string>>): void {
  const missing = Object.entries(packages).flatMap(([program, name]) => (onPath(program) === undefined ? [name] : []));
  if (missing.length === 0) return;
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const;
  const lock = ['-o', `DPkg::Lock::Timeout=${LOCK_SECONDS}`];
  execFileSync('apt-get', ['update', '-q', ...lock], options);
  execFileSync('apt-get', ['install', '-y', '-q', '--no-install-recommends', ...lock, ...missing], options);
}

/**
 * Starts a Docker daemon with its own data and socket in `folder`. Unless `networks` is true, it has no bridge and changes
 * no firewall: builds use the network of the machine, and containers of tests have none but loopback.
 */
export async function startDocker(folder: string, { networks = false } = {}): Promise<OwnDocker> {
  mkdirSync(folder, { recursive: true });
  const host = `unix://${join(folder, 'docker.sock')}`;
  const log = openSync(join(folder, 'dockerd.log'), 'w');
  const args = [
    ...['--host', host, '--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
    ...['--pidfile', join(folder, 'docker.pid'), '--bridge', 'none', '--ip6tables=false'],
    ...(networks ? [] : ['--iptables=false']),
  ];
  // Start it in its own process group: after a Ctrl-C, the daemon must run until its containers are removed.
  const daemon = spawn('dockerd', args, { stdio: ['ignore', log, log], detached: true });
  const ended = once(daemon, 'exit');
  // Debian's Docker has no BuildKit, only the older builder.
  const env = { ...process.env, DOCKER_HOST: host, DOCKER_BUILDKIT: '0' };
  const stop = () => stopDaemon(daemon, ended, env);
  for (const end = Date.now() + START_SECONDS * 1000; spawnSync('docker', ['version'], { env }).status !== 0; ) {
    if (daemon.exitCode !== null || Date.now() > end) {
      await stop();
      throw new Error(`dockerd did not start. See ${join(folder, 'dockerd.log')}.`);
    }
    await sleep(200);
  }
  return { env, stop };
}

async function stopDaemon(daemon: ChildProcess, ended: Promise<unknown>, env: NodeJS.ProcessEnv): Promise<void> {
  if (daemon.exitCode !== null) return;
  const { stdout } = spawnSync('docker', ['ps', '--all', '--quiet'], { env, encoding: 'utf8' });
  const containers = stdout.split('\n').filter((id) => id !== '');
  if (containers.length > 0) spawnSync('docker', ['rm', '--force', '--volumes', ...containers], { env });
  daemon.kill('SIGTERM');
  const kill = setTimeout(() => daemon.kill('SIGKILL'), STOP_SECONDS * 1000);
  await ended;
  clearTimeout(kill);
}
