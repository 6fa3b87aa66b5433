import { dirname, join, relative, sep } from 'node:path';
import type { Mount } from '../../domain/plan.ts';
import { type Command, FIRST_FILE_FD, GO_FD, READY_FD } from '../process/launch.ts';
import { type KernelLimits, prlimitOptions } from './limits.ts';
import type { Sandbox } from './sandbox.ts';

/** A mount, with an open descriptor `fd` if the sandbox can mount open files: the path may be replaced meanwhile. */
export type PinnedMount = Mount & { readonly fd?: number };

export interface Confinement {
  readonly sandbox: Sandbox;
  /** ffmpeg or ffprobe: absolute, symlinks resolved, and visible in the sandbox. */
  readonly program: string;
  /** Without the program's name. Contains only logical names, so it is the same with and without a sandbox. */
  readonly argv: readonly string[];
  /** The scratch folder, absolute: contains `in/` and the folders of `writable`. */
  readonly dir: string;
  /** Folders of `dir` that the program may write to. Default: `out` and `pass`, as a conversion needs. */
  readonly writable?: readonly string[];
  readonly mounts: readonly PinnedMount[];
  readonly limits: KernelLimits;
  /** Whole seconds after which the program is ended even if the service no longer watches it. */
  readonly lastResortSeconds: number;
}

/** Lower priority than the service, so that replies do not wait for encoders. Disk priority follows (ioprio_set(2)). */
const NICENESS = ['-n', '10'] as const;

/** Seconds between SIGTERM and SIGKILL. */
export const GRACE_SECONDS = 5;

/** By default glibc reserves 64 MiB of address space per thread, for up to eight threads per core. */
const MALLOC_ARENAS = '4';

const HANDSHAKE = ['--file', `${READY_FD}`, '/tmp/ready', '--block-fd', `${GO_FD}`];

const IN_SANDBOX = '/job';

const WRITABLE: readonly string[] = ['out', 'pass'];

/** The complete command that runs the program on `argv` with all isolation that `sandbox` offers. Pure. */
export function confineCommand(c: Confinement): Command {
  return c.sandbox.kind === 'bubblewrap' ? inBubblewrap(c, c.sandbox) : onTheHost(c, c.sandbox);
}

/**
 * nice → bwrap → prlimit → timeout → ffmpeg. The limits are set inside the sandbox, where the thread limit counts only
 * this job.
 *
 * bwrap ties ffmpeg's life to the service only in its last step. A service that is killed in the milliseconds before
 * must not leave an ffmpeg behind, so bwrap waits at that point (`GO_FD`) until the service sees that everything else is
 * done (`READY_FD` closes) and releases it. If the service is dead, the wait ends when its last descriptor closes.
 * ffmpeg then dies of SIGPIPE at its first line of output, because nobody reads the pipe. The kernel shields process 1
 * of a namespace from SIGPIPE, so process 1 is `timeout`, which forwards SIGTERM.
 *
 * If threads of the dying service still hold those pipes when bwrap continues, ffmpeg survives its first lines. The
 * crash reaper (`startCrashReaper`) or the next start of the service ends it. --json-status-fd is not used because that
 * pipe would end bwrap itself and leave its child waiting for ever.
 */
function inBubblewrap(c: Confinement, sandbox: Sandbox & { kind: 'bubblewrap' }): Command {
  const { tools } = sandbox;
  return {
    file: tools.nice,
    args: [
      ...NICENESS,
      sandbox.bwrap,
      ...ISOLATION,
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

const ISOLATION: readonly string[] = [
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
  ...['--setenv', 'MALLOC_ARENA_MAX', MALLOC_ARENAS, '--setenv', 'AV_LOG_FORCE_COLOR', '1'],
];

/** Mounts the job's files. bwrap 0.8 creates unnamed parent folders as unreadable, so each parent is named. */
function binds({ dir, mounts, writable = WRITABLE }: Confinement): readonly string[] {
  const staged = new Set<string>();
  const folders = new Set<string>();
  const files: string[] = [];
  let nextFd = FIRST_FILE_FD;
  for (const mount of mounts) {
    const pathInScratch = relative(join(dir, 'in'), mount.hostPath);
    if (isBelow(pathInScratch)) {
      staged.add(pathInScratch.split(sep)[0] ?? pathInScratch);
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

/** Whether a result of `relative` stays below its start. */
export const isBelow = (path: string): boolean => path !== '' && path !== '..' && !path.startsWith(`..${sep}`);

/** setpriv → prlimit → nice → ffmpeg, without the tools that the system lacks; macOS has only the last two. */
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
      MALLOC_ARENA_MAX: MALLOC_ARENAS,
      // Colour distinguishes ffmpeg's own messages from text in the media (see `LogLine`).
      AV_LOG_FORCE_COLOR: '1',
    },
    inNamespace: false,
    files: [],
  };
}
