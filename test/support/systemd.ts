import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, onTestFinished } from 'vitest';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { endWithTests } from './end-with-tests.ts';
import { testFolder } from './folders.ts';
import { freePort } from './free-port.ts';
import { cgroupMount } from './needs.ts';
import { waitUntil } from './wait.ts';

/** Where systemd is installed, also on systems that do not run it. */
export const SYSTEMD = '/lib/systemd/systemd';

const UNIT = resolve(import.meta.dirname, '../../deploy/systemd/telecine.service');

/** A user that no system has, as `useradd telecine` creates one. */
const USER_ID = 64_999;

/** The units that each system has. Those of this machine would start its other services. */
const TARGETS = ['sysinit', 'basic', 'shutdown', 'network'];

/** A systemd with the documented unit. */
export interface UnderSystemd {
  readonly url: string;
  readonly dataDir: string;
  readonly mediaRoot: string;
  log(): string;
  /** The names of the programs in each cgroup of the unit, by the path below it: '' for that of the unit itself. */
  programs(): Readonly<Record<string, readonly string[]>>;
  /** The process id of the service. */
  pid(): number;
  /** Runs systemctl. Resolves to its exit code. */
  systemctl(...args: readonly string[]): Promise<number | null>;
}

/**
 * Starts systemd as process 1 of namespaces of its own, which starts the unit of `deploy/systemd` as it is, but for the
 * port and the log. The folders that the unit names are mounted there from a test folder.
 */
export async function startSystemd(): Promise<UnderSystemd> {
  const folder = await testFolder('systemd');
  const port = await freePort();
  await writeFiles(folder, port);
  const group = join(cgroupMount()?.path ?? '', `telecine-systemd-${process.pid}-${port}`);
  mkdirSync(group);
  const namespaces = ['--mount', '--pid', '--cgroup', '--uts', '--ipc', '--fork', '--kill-child'];
  const enter = `echo $$ > "$1" && shift && exec "$@"`;
  const args = ['-c', enter, 'sh', join(group, 'cgroup.procs'), 'unshare', ...namespaces, 'sh', '-ec', BOOT];
  const child = spawn('sh', [...args, 'sh', folder, process.execPath, dirname(dirname(inject('program').entry))], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', container: 'other' },
  });
  endWithTests(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    for (const end = Date.now() + 5000; Date.now() < end && !removeGroups(group); ) await sleep(50);
  });
  const unit = join(group, 'system.slice/telecine.service');
  return {
    url: `http://127.0.0.1:${port}`,
    dataDir: join(folder, 'var/telecine'),
    mediaRoot: join(folder, 'srv/media'),
    log: () => readFileSync(join(folder, 'log'), 'utf8'),
    programs: () => programsBelow(unit),
    pid: () => pidsIn(join(unit, 'service')).find((pid) => commandOf(pid).includes('bin/telecine.js')) ?? 0,
    systemctl: (...words) => systemctl(child, words),
  };
}

async function writeFiles(folder: string, port: number): Promise<void> {
  const dropIn = join(folder, 'units/telecine.service.d');
  const user = `telecine:x:${USER_ID}:`;
  for (const name of ['opt', 'var', 'cache', 'srv/media', 'run']) await mkdir(join(folder, name), { recursive: true });
  await mkdir(dropIn, { recursive: true });
  await cp(UNIT, join(folder, 'units/telecine.service'));
  for (const name of TARGETS) await writeFile(join(folder, `units/${name}.target`), '[Unit]\nDefaultDependencies=no\n');
  const settings = [
    `Environment=TELECINE_PORT=${port}`,
    ...['Output', 'Error'].map((name) => `Standard${name}=append:${folder}/log`),
  ];
  await writeFile(join(dropIn, 'test.conf'), `[Service]\n${settings.join('\n')}\n`);
  await writeFile(join(folder, 'log'), '');
  await writeFile(
    join(folder, 'passwd'),
    `${readFileSync('/etc/passwd', 'utf8')}${user}${USER_ID}::/var/lib/telecine:/bin/false\n`,
  );
  await writeFile(join(folder, 'group'), `${readFileSync('/etc/group', 'utf8')}${user}\n`);
}

/** Arguments: the test folder, Node, the package. Runs in the namespaces, and becomes systemd. */
const BOOT = `
umount -l /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
mount -t proc proc /proc
mount -t tmpfs tmpfs /run
mkdir -p /run/generators
mount --bind /run/generators /lib/systemd/system-generators
mount --bind "$1/units" /etc/systemd/system
mount --bind "$1/run" /lib/systemd/system
mount --bind "$1/passwd" /etc/passwd
mount --bind "$1/group" /etc/group
mkdir -p "$1/opt/telecine/node_modules/node-linux-${process.arch}/bin" "$1/opt/telecine/node_modules/telecine"
: > "$1/opt/telecine/node_modules/node-linux-${process.arch}/bin/node"
mount --bind "$2" "$1/opt/telecine/node_modules/node-linux-${process.arch}/bin/node"
mount --bind "$3" "$1/opt/telecine/node_modules/telecine"
mount --rbind "$1/opt" /opt
mount --bind "$1/srv" /srv
mount --bind "$1/var" /var/lib
mount --bind "$1/cache" /var/cache
chown ${USER_ID}:${USER_ID} /srv/media
exec ${SYSTEMD} --system --unit=telecine.service --log-level=warning --log-target=console --show-status=false
`;

/** Runs in the mount and PID namespaces of systemd, where its socket is. */
async function systemctl(unshare: ChildProcess, words: readonly string[]): Promise<number | null> {
  const [first = 0] = await descendants(unshare.pid ?? 0);
  const args = ['--target', `${first}`, '--mount', '--pid', 'systemctl', ...words];
  const child = spawn('nsenter', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => child.once('close', resolve));
}

/** Waits until the service that systemd has started, or started again, runs jobs. */
export const untilStarted = (service: UnderSystemd, times = 1): Promise<true> =>
  waitUntil('the service to start', async () =>
    service.log().split('"msg":"started"').length > times ? true : undefined,
  );

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
};

function pidsIn(group: string): readonly number[] {
  try {
    return readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

const groupsBelow = (group: string): readonly string[] => {
  try {
    const inner = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return inner.flatMap(({ name }) => [name, ...groupsBelow(join(group, name)).map((each) => join(name, each))]);
  } catch {
    return [];
  }
};

const programsBelow = (unit: string): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    ['', ...groupsBelow(unit)].map((name) => [
      name,
      pidsIn(join(unit, name)).map((pid) => programName(commandOf(pid))),
    ]),
  );

/** The name of the program at the start of a command line. */
const programName = (command: string): string => command.split('\0')[0]?.split('/').at(-1) ?? '';

function removeGroups(group: string): boolean {
  try {
    for (const name of groupsBelow(group).toReversed()) rmdirSync(join(group, name));
    rmdirSync(group);
    return true;
  } catch {
    for (const name of ['', ...groupsBelow(group)]) tryToKill(join(group, name));
    return false;
  }
}

function tryToKill(group: string): void {
  try {
    writeFileSync(join(group, 'cgroup.kill'), '1');
  } catch {
    // It was removed meanwhile.
  }
}
