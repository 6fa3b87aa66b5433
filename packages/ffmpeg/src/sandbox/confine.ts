import { dirname, join } from 'node:path';
import { FONTS_FOLDER } from '@telecine/contract/domain/media-path.ts';
import { descriptorPath } from '@telecine/contract/domain/media-root.ts';
import type { Mount } from '@telecine/contract/domain/plan.ts';
import { type Command, FILTER_FD, FIRST_FILE_FD, FIRST_FREE_FD, GO_FD, READY_FD } from '../process/launch.ts';
import { type KernelLimits, limitsWithDevice, prlimitOptions } from './limits.ts';
import type { BubblewrapSandbox, DeviceAccess, LandlockSandbox, NoSandbox, Sandbox } from './sandbox.ts';
import { deviceFolder, landlockRule, parents } from './system-view.ts';
import { stagedName } from './work-folder.ts';

/** `fd`: an open descriptor of the mounted file, so that no other file can take its place. Present if the sandbox can mount open files. */
export type PinnedMount = Mount & { readonly fd?: number };

export interface Confinement {
  readonly sandbox: Sandbox;
  /** The path of ffmpeg or ffprobe. It is absolute, has no symlinks, and is visible in the sandbox. */
  readonly program: string;
  /** The arguments. They are the same with and without a sandbox, because files have logical names. */
  readonly argv: readonly string[];
  /** The scratch folder, absolute. It contains the folders in `writable`, and `in/` if inputs are staged. */
  readonly dir: string;
  /** The folders in `dir` that the program may write to. Default: `out` and `pass`. */
  readonly writable?: readonly string[];
  readonly mounts: readonly PinnedMount[];
  /** Open descriptors of folders in `dir`, by name (`out`, `in/0`), for a sandbox that can mount open files. */
  readonly folders?: ReadonlyMap<string, number>;
  readonly limits: KernelLimits;
  /** The hardware device that the program uses. Absent: the program sees no device. */
  readonly device?: DeviceAccess;
  /** timeout(1) ends the program after this many whole seconds, even if the service is dead. */
  readonly lastResortSeconds: number;
}

/** timeout(1) kills a short run this many seconds after its timeout, if the service itself has not ended it by then. */
export const LAST_RESORT_SECONDS = 5;

/** The arguments of nice(1). From the niceness, the kernel also derives the disk priority (ioprio_set(2)). */
const niceArguments = ({ niceness }: Sandbox): readonly string[] => ['-n', `${niceness}`];

/** Seconds between SIGTERM and SIGKILL. */
export const GRACE_SECONDS = 5;

/**
 * The maximum number of malloc arenas of glibc. By default, glibc reserves 64 MiB of address space for each of up to eight arenas per core.
 */
const MALLOC_ARENAS = '4';

const HANDSHAKE = ['--file', `${READY_FD}`, '/tmp/ready', '--block-fd', `${GO_FD}`];

/** The path of the scratch folder inside bubblewrap. */
export const IN_SANDBOX = '/job';

export const WRITABLE: readonly string[] = ['out', 'pass'];

/**
 * Returns the folders that a conversion writes to. `pass`, in which passes exchange files, is among them if a command names it, and always
 * without bubblewrap, because programs then keep their caches there.
 */
export const writableFolders = (sandbox: Sandbox, commands: readonly (readonly string[])[]): readonly string[] =>
  sandbox.kind !== 'bubblewrap' || commands.some((argv) => argv.some((word) => word.includes('pass/')))
    ? WRITABLE
    : ['out'];

/** Returns the complete command that runs the program with the isolation of `sandbox`. Pure. */
export function confineCommand(confinement: Confinement): Command {
  const { device, limits } = confinement;
  const c = device === undefined ? confinement : { ...confinement, limits: limitsWithDevice(limits) };
  if (c.sandbox.kind === 'bubblewrap') return inBubblewrap(c, c.sandbox);
  return c.sandbox.kind === 'landlock' ? inLandlock(c, c.sandbox) : onTheHost(c, c.sandbox);
}

/**
 * Builds the chain nice → bwrap → prlimit → timeout → ffmpeg. prlimit runs inside the sandbox, so that the thread limit counts only threads
 * of this job.
 *
 * ffmpeg must end with the service, but bwrap ensures this only in its last step (`--die-with-parent`). If the service is killed before
 * that step, ffmpeg would become an orphan. So bwrap waits on `GO_FD` before it starts ffmpeg, and the service writes to `GO_FD` when
 * `READY_FD` closes, which shows that bwrap has done everything else. If the service is dead, bwrap reads end of file on `GO_FD` and
 * continues, and SIGPIPE kills ffmpeg at its first line of output. The kernel does not send SIGPIPE to process 1 of a namespace, so process
 * 1 is `timeout`, which forwards SIGTERM.
 *
 * Threads of the dying service may hold the pipe for the output open a little longer, and ffmpeg then survives its first lines. The crash
 * reaper (`startCrashReaper`) or the next start of the service kills it. --json-status-fd is not used: if its pipe breaks, bwrap ends, and
 * the child of bwrap waits for ever.
 *
 * bwrap applies the system call filter last, so the filter allows what prlimit and timeout need: to set the limits of their own process, to
 * start a process, and to send it a signal.
 */
function inBubblewrap(c: Confinement, sandbox: BubblewrapSandbox): Command {
  const { tools } = sandbox;
  const { options, files } = binds(c);
  const { nodes, others } = deviceBinds(c.device);
  return {
    file: tools.nice,
    args: [
      ...niceArguments(sandbox),
      sandbox.bwrap,
      ...ISOLATION,
      ...(sandbox.disablesUserns ? ['--disable-userns'] : []),
      ...sandbox.view,
      ...deviceFolder(nodes),
      ...options,
      ...others,
      ...['--chdir', IN_SANDBOX, '--remount-ro', '/'],
      ...HANDSHAKE,
      ...(sandbox.filter === undefined ? [] : ['--seccomp', `${FILTER_FD}`]),
      '--',
      ...[tools.prlimit, ...prlimitOptions(c.limits, sandbox.hardLimits, true), '--'],
      ...[tools.timeout, '--foreground', `--kill-after=${GRACE_SECONDS}`, `${c.lastResortSeconds}`],
      ...[c.program, ...c.argv],
    ],
    cwd: c.dir,
    env: {},
    inNamespace: true,
    niceness: sandbox.niceness,
    ...(sandbox.filter === undefined ? {} : { filter: sandbox.filter }),
    files,
  };
}

/** `--new-session` is missing, because `launch` starts a session and sets its niceness. */
const ISOLATION: readonly string[] = [
  '--unshare-user',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-uts',
  '--unshare-cgroup-try',
  ...['--uid', '65534', '--gid', '65534', '--hostname', 'job'],
  '--die-with-parent',
  '--as-pid-1',
  ...['--cap-drop', 'ALL', '--clearenv'],
  ...['--setenv', 'PATH', '/usr/bin', '--setenv', 'HOME', '/tmp', '--setenv', 'LANG', 'C.UTF-8'],
  ...['--setenv', 'MALLOC_ARENA_MAX', MALLOC_ARENAS, '--setenv', 'AV_LOG_FORCE_COLOR', '1'],
];

/**
 * Returns the bwrap options that mount the files of the job, and the descriptors in them. They create each parent folder, because bwrap 0.8
 * makes folders that it creates implicitly unreadable.
 */
function binds({ dir, mounts, folders: open, writable = WRITABLE }: Confinement): {
  readonly options: readonly string[];
  readonly files: readonly number[];
} {
  const staged = new Set<string>();
  const folders = new Set<string>();
  const options: string[] = [];
  const files: number[] = [];
  const bind = (option: '--bind' | '--ro-bind', fd: number | undefined, path: string, logical: string): void => {
    if (fd === undefined) options.push(option, path);
    else options.push(`${option}-fd`, `${FIRST_FILE_FD + files.push(fd) - 1}`);
    options.push(`${IN_SANDBOX}/${logical}`);
  };
  for (const mount of mounts) {
    const name = stagedName(dir, mount.hostPath);
    if (name !== undefined) staged.add(name);
    for (let up = dirname(name ?? mount.logical); up !== 'in' && up !== '.'; up = dirname(up)) folders.add(up);
    if (name === undefined) bind('--ro-bind', mount.fd, mount.hostPath, mount.logical);
  }
  for (const name of staged) bind('--ro-bind', open?.get(name), join(dir, name), name);
  for (const name of writable) bind('--bind', open?.get(name), join(dir, name), name);
  const parents = [IN_SANDBOX, `${IN_SANDBOX}/in`, ...[...folders].sort().map((folder) => `${IN_SANDBOX}/${folder}`)];
  return { options: [...parents.flatMap((path) => ['--dir', path]), ...options], files };
}

/** Returns the bwrap options that add a device to /dev (`nodes`), and the options that show the files of its driver. */
function deviceBinds(device: DeviceAccess | undefined): {
  readonly nodes: readonly string[];
  readonly others: readonly string[];
} {
  if (device === undefined) return { nodes: [], others: [] };
  const { nodes, reads, links, named, needsProc } = device;
  // Skip paths in /proc: a new /proc already has the folders of drivers.
  const shown = needsProc ? reads.filter((path) => !path.startsWith('/proc/')) : reads;
  return {
    nodes: nodes.flatMap((path) => [...parents(path).slice(2), '--dev-bind', path, path]),
    others: [
      ...(needsProc ? ['--proc', '/proc'] : []),
      ...shown.flatMap((path) => [...parents(path), '--ro-bind', path, path]),
      ...links.flatMap(([path, target]) => [...parents(path), '--symlink', target, path]),
      ...(named === undefined
        ? []
        : [
            '--dir',
            `${IN_SANDBOX}/${dirname(named.logical)}`,
            '--symlink',
            named.node,
            `${IN_SANDBOX}/${named.logical}`,
          ]),
    ],
  };
}

/**
 * Builds the chain nice → setpriv → timeout → setpriv → prlimit → setpriv → ffmpeg. The last setpriv(1) applies the Landlock rules and the
 * system call filter, which denies starting processes and sending signals. So timeout(1), which does both, is before it in the chain. The
 * other two setpriv(1) make the next program end with its parent. The last setpriv(1) cannot do this, because the filter denies the system
 * call, so that ffmpeg cannot undo it.
 *
 * A Landlock rule is about the file that was checked: if another file takes its path, ffmpeg cannot open it.
 */
function inLandlock(c: Confinement, sandbox: LandlockSandbox): Command {
  const { nice, setpriv, timeout, prlimit } = sandbox.tools;
  const { options, files } = allow(c, sandbox.filterFd);
  const canWritePass = (c.writable ?? WRITABLE).includes('pass');
  const endWithParent = [setpriv, '--pdeathsig', 'KILL', '--'];
  return {
    file: nice,
    args: [
      ...niceArguments(sandbox),
      ...endWithParent,
      ...[timeout, '--foreground', `--kill-after=${GRACE_SECONDS}`, `${c.lastResortSeconds}`],
      ...endWithParent,
      ...[prlimit, ...prlimitOptions(c.limits, sandbox.hardLimits, false), '--'],
      ...[setpriv, '--no-new-privs'],
      ...(sandbox.isRoot ? NO_CAPABILITIES : []),
      ...sandbox.view,
      ...options,
      ...['--seccomp-filter', descriptorPath(FIRST_FREE_FD), '--'],
      ...[c.program, ...c.argv],
    ],
    cwd: c.dir,
    // ffmpeg cannot write to the scratch folder itself, so fontconfig keeps its cache in `pass`.
    env: hostEnvironment(canWritePass ? join(c.dir, 'pass') : c.dir),
    inNamespace: false,
    niceness: sandbox.niceness,
    isWrapped: true,
    files,
  };
}

/** The Landlock rights of ffmpeg in folders for outputs. It cannot make links, devices, sockets or FIFOs. */
const WRITE_RIGHTS = 'read-file,write-file,read-dir,make-reg,make-dir,remove-file,truncate,refer';

const NO_CAPABILITIES = ['--bounding-set=-all', '--inh-caps=-all', '--ambient-caps=-all'];

/** Returns the setpriv options that allow the files of the job, and the descriptors in them after `filterFd`. */
function allow({ dir, mounts, folders, device, writable = WRITABLE }: Confinement, filterFd: number) {
  const options: string[] = [];
  const files = [filterFd];
  const add = (rights: string, fd: number | undefined, path: string): void => {
    const target = fd === undefined ? path : descriptorPath(FIRST_FREE_FD + files.push(fd) - 1);
    options.push(...landlockRule(rights, target));
  };
  const staged = new Set<string>();
  for (const { hostPath, fd } of mounts) {
    const name = stagedName(dir, hostPath);
    if (name === undefined) add('read-file', fd, hostPath);
    else staged.add(name);
  }
  // Allow listing the folder of fonts: libass does so. Its fonts from the media root are links.
  if (mounts.some(({ logical }) => dirname(logical) === FONTS_FOLDER))
    add('read-dir', undefined, join(dir, FONTS_FOLDER));
  for (const name of staged) add('read-file', folders?.get(name), join(dir, name));
  for (const name of writable) add(WRITE_RIGHTS, folders?.get(name), join(dir, name));
  const deviceRights = device?.hasIoctlRight ? `${DEVICE_RIGHTS},ioctl-dev` : DEVICE_RIGHTS;
  for (const node of device?.nodes ?? []) add(deviceRights, undefined, node);
  for (const path of device?.reads ?? []) add('read-file,read-dir', undefined, path);
  return { options, files };
}

const DEVICE_RIGHTS = 'read-file,write-file';

/** Builds the chain setpriv → prlimit → nice → ffmpeg, without tools that are missing: macOS has only nice. */
function onTheHost(c: Confinement, sandbox: NoSandbox): Command {
  const { setpriv, prlimit, nice } = sandbox.tools;
  const [file = c.program, ...args] = [
    ...(setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--']),
    ...(prlimit === undefined ? [] : [prlimit, ...prlimitOptions(c.limits, sandbox.hardLimits, false), '--']),
    ...(nice === undefined ? [] : [nice, ...niceArguments(sandbox)]),
    c.program,
    ...c.argv,
  ];
  return {
    file,
    args,
    cwd: c.dir,
    env: { ...hostEnvironment(c.dir), ...c.device?.environment },
    inNamespace: false,
    niceness: sandbox.niceness,
    files: [],
  };
}

const hostEnvironment = (home: string): Readonly<Record<string, string>> => ({
  PATH: '/usr/bin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
  MALLOC_ARENA_MAX: MALLOC_ARENAS,
  // Colours distinguish ffmpeg's own messages from text in the media (see `LogLine`).
  AV_LOG_FORCE_COLOR: '1',
});
