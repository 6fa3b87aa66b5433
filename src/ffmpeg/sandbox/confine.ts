import { dirname, join, relative, sep } from 'node:path';
import type { Mount } from '../../domain/plan.ts';
import { type Command, FIRST_FILE_FD, GO_FD, READY_FD } from '../process/launch.ts';
import { type KernelLimits, prlimitOptions } from './limits.ts';
import type { Sandbox } from './sandbox.ts';

/** A mount, open as `fd` where the sandbox shows open files: a path may come to mean another file. */
export type PinnedMount = Mount & { readonly fd?: number };

export interface Confinement {
  readonly sandbox: Sandbox;
  /** ffmpeg or ffprobe, absolute, symlinks resolved: where there is a sandbox, one that its view shows. */
  readonly program: string;
  /** Without the program's name; logical names only, so that it is the same with and without a sandbox. */
  readonly argv: readonly string[];
  /** Scratch, absolute: holds `in/`, and what is in `writable`. */
  readonly dir: string;
  /** Folders of `dir` that it may write to; left out: `out` and `pass`, as a conversion needs them. */
  readonly writable?: readonly string[];
  readonly mounts: readonly PinnedMount[];
  readonly limits: KernelLimits;
  /** After which ffmpeg is ended even if the service no longer looks; whole seconds. */
  readonly lastResortSeconds: number;
}

/** Below the service, so that answers do not wait for encoders. Disk priority follows it (ioprio_set(2)). */
const NICENESS = ['-n', '10'] as const;

/** Seconds between a polite end and SIGKILL. */
export const GRACE_SECONDS = 5;

/** glibc gives every thread an arena of 64 MiB of address space, up to eight times the cores, unless told. */
const ARENAS = '4';

const HANDSHAKE = ['--file', `${READY_FD}`, '/tmp/ready', '--block-fd', `${GO_FD}`];

const IN_SANDBOX = '/job';

const WRITABLE: readonly string[] = ['out', 'pass'];

/** The whole command that runs the program on `argv`, behind as many walls as `sandbox` offers. Pure. */
export function confineCommand(c: Confinement): Command {
  return c.sandbox.kind === 'bubblewrap' ? inBubblewrap(c, c.sandbox) : onTheHost(c, c.sandbox);
}

/**
 * nice → bwrap → prlimit → timeout → ffmpeg. The limits are set inside, where the thread limit counts only the
 * job.
 *
 * bwrap ties ffmpeg's life to the service's only in its last step, and a service killed in the milliseconds
 * before must leave no ffmpeg either. So bwrap waits there (`GO_FD`) until the service, seeing that all else is
 * done (`READY_FD` closes), lets it go on. Where the service is dead the wait ends with its last open file, and
 * ffmpeg by SIGPIPE at its first line, which goes to a pipe that no one holds any more. The kernel shields
 * process 1 of a namespace from SIGPIPE, so that is `timeout`, which hands SIGTERM on. Where threads of the dying
 * service still hold those pipes when bwrap goes on, ffmpeg's first lines are let through; what then runs is ended
 * by the service's guard (`startGuard`), or by the next start. --json-status-fd is not used because that pipe would
 * end bwrap itself, and leave its child waiting for ever.
 */
function inBubblewrap(c: Confinement, sandbox: Sandbox & { kind: 'bubblewrap' }): Command {
  const { tools } = sandbox;
  return {
    file: tools.nice,
    args: [
      ...NICENESS,
      sandbox.bwrap,
      ...WALLS,
      ...sandbox.view,
      ...binds(c),
      ...['--chdir', IN_SANDBOX, '--remount-ro', '/'],
      ...HANDSHAKE,
      '--',
      ...[tools.prlimit, ...prlimitOptions(c.limits, true), '--'],
      ...[tools.timeout, '--foreground', `--kill-after=${GRACE_SECONDS}`, `${c.lastResortSeconds}`],
      ...[c.program, ...c.argv],
    ],
    cwd: c.dir,
    env: {},
    inNamespace: true,
    files: c.mounts.flatMap(({ fd }) => fd ?? []),
  };
}

const WALLS: readonly string[] = [
  '--unshare-user',
  '--unshare-ipc',
  '--unshare-pid',
  '--unshare-net',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--disable-userns',
  ...['--uid', '65534', '--gid', '65534', '--hostname', 'job'],
  '--die-with-parent',
  '--as-pid-1',
  '--new-session',
  ...['--cap-drop', 'ALL', '--clearenv'],
  ...['--setenv', 'PATH', '/usr/bin', '--setenv', 'HOME', '/tmp', '--setenv', 'LANG', 'C.UTF-8'],
  ...['--setenv', 'MALLOC_ARENA_MAX', ARENAS, '--setenv', 'AV_LOG_FORCE_COLOR', '1'],
];

/** The job's files. bwrap 0.8 makes the parents that it is not told of unreadable, so each is named. */
function binds({ dir, mounts, writable = WRITABLE }: Confinement): readonly string[] {
  const staged = new Set<string>();
  const folders = new Set<string>();
  const files: string[] = [];
  let nextFd = FIRST_FILE_FD;
  for (const mount of mounts) {
    const own = relative(join(dir, 'in'), mount.hostPath);
    if (isBelow(own)) {
      staged.add(own.split(sep)[0] ?? own);
      continue;
    }
    for (let up = dirname(mount.logical); up !== 'in' && up !== '.'; up = dirname(up)) folders.add(up);
    const source = mount.fd === undefined ? ['--ro-bind', mount.hostPath] : ['--ro-bind-fd', `${nextFd++}`];
    files.push(...source, `${IN_SANDBOX}/${mount.logical}`);
  }
  return [
    ...['--dir', IN_SANDBOX, '--dir', `${IN_SANDBOX}/in`],
    ...[...folders].sort().flatMap((folder) => ['--dir', `${IN_SANDBOX}/${folder}`]),
    ...files,
    ...[...staged].flatMap((name) => ['--ro-bind', join(dir, 'in', name), `${IN_SANDBOX}/in/${name}`]),
    ...writable.flatMap((name) => ['--bind', join(dir, name), `${IN_SANDBOX}/${name}`]),
  ];
}

/** Whether a path as `relative` gives it stays below where it started. */
export const isBelow = (path: string): boolean => path !== '' && path !== '..' && !path.startsWith(`..${sep}`);

/** setpriv → prlimit → nice → ffmpeg, each where the system has it; macOS has only the last two. */
function onTheHost(c: Confinement, sandbox: Sandbox & { kind: 'none' }): Command {
  const { setpriv, prlimit, nice } = sandbox.tools;
  const [file = c.program, ...args] = [
    ...(setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--']),
    ...(prlimit === undefined ? [] : [prlimit, ...prlimitOptions(c.limits, false), '--']),
    ...(nice === undefined ? [] : [nice, ...NICENESS]),
    c.program,
    ...c.argv,
  ];
  return {
    file,
    args,
    cwd: c.dir,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: c.dir,
      LANG: 'C.UTF-8',
      MALLOC_ARENA_MAX: ARENAS,
      // What tells its complaints from a file's own words (`LogLine`).
      AV_LOG_FORCE_COLOR: '1',
    },
    inNamespace: false,
    files: [],
  };
}
