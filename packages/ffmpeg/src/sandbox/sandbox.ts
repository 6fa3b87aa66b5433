import type { DeviceType } from '@telecine/contract/domain/devices.ts';
import type { HardLimits } from './limits.ts';

/** The absolute paths of the programs that wrap ffmpeg and ffprobe. */
export interface SandboxTools {
  readonly prlimit: string;
  readonly nice: string;
  readonly timeout: string;
  readonly setpriv: string;
}

/** Settings of the processes, with and without a sandbox. */
export interface ProcessSettings {
  readonly hardLimits: HardLimits;
  /** The niceness of ffmpeg and ffprobe: 0 to 19. */
  readonly niceness: number;
}

/** Namespaces and mounts: the program sees nothing of the machine but its files. */
export interface BubblewrapSandbox extends ProcessSettings {
  readonly kind: 'bubblewrap';
  readonly bwrap: string;
  readonly tools: Pick<SandboxTools, 'prlimit' | 'nice' | 'timeout'>;
  /** bwrap options that mount the programs, the system's libraries and fonts, all read-only. */
  readonly view: readonly string[];
  /** Whether bwrap can mount an open file (`--ro-bind-fd`, since 0.10 and in many patched older packages). */
  readonly showsOpenFiles: boolean;
  /** Whether bwrap can deny further user namespaces. It cannot if /proc/sys is read-only, as in containers. */
  readonly disablesUserns: boolean;
  /** The filter of system calls (see `seccomp/`). Absent on an unknown architecture. */
  readonly filter?: Uint8Array;
}

/** Rules of the kernel about files that the program may open, and the filter of system calls. Needs no namespace. */
export interface LandlockSandbox extends ProcessSettings {
  readonly kind: 'landlock';
  readonly tools: SandboxTools;
  /** setpriv options that allow reading the programs, the system's libraries and fonts. */
  readonly view: readonly string[];
  /** A descriptor of the file with the filter of system calls. It stays open while the service runs. */
  readonly filterFd: number;
  /** Whether the service runs as root, so that setpriv drops privileges. */
  readonly isRoot: boolean;
}

export interface NoSandbox extends ProcessSettings {
  readonly kind: 'none';
  /** A sentence for the operator: why there is no sandbox. */
  readonly reason: string;
  /** A sentence for the operator: how to get a sandbox. */
  readonly fix: string;
  readonly tools: Partial<SandboxTools>;
}

/** The isolation of ffmpeg on this machine. Determined once, at start. */
export type Sandbox = BubblewrapSandbox | LandlockSandbox | NoSandbox;

/** A sentence for the operator about what the sandbox does not protect against. undefined if it protects completely. */
export function weaknessOf(sandbox: Sandbox): string | undefined {
  if (sandbox.kind === 'none') return sandbox.reason;
  if (sandbox.kind === 'landlock')
    return (
      'Landlock: ffmpeg can open, list and watch no other files. If it guesses the path of one, it can see that it exists, its ' +
      'size, owner and times, where a symlink leads and the free space of its disk; it can see which process ids exist. The ' +
      'kernel limits no threads.'
    );
  const open = [
    ...(sandbox.filter === undefined ? ['no filter of system calls exists for this architecture'] : []),
    ...(sandbox.showsOpenFiles ? [] : ['inputs are opened by path once more, because bubblewrap has no --ro-bind-fd']),
  ];
  return open.length === 0 ? undefined : `bubblewrap: ${open.join('; ')}.`;
}

/** The parts of this machine that a program needs for a hardware device. All paths are absolute, symlinks resolved. */
export interface DeviceAccess {
  readonly type: DeviceType;
  /** The device nodes, which the program reads and writes. */
  readonly nodes: readonly string[];
  /** Files and folders of /sys and /proc that drivers read. */
  readonly reads: readonly string[];
  /** Symlinks that drivers follow to `reads`: each path and its target. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** The node that an argv names. Absent if argvs name none. */
  readonly named?: { readonly logical: string; readonly node: string };
  /** The environment in which a program without a sandbox sees only this device. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the driver needs a /proc, which shows only processes of the job and facts about the kernel. */
  readonly needsProc?: true;
  /** Whether Landlock has a right for calls of drivers (`ioctl-dev`: kernel 6.10, and a setpriv that knows it). */
  readonly hasIoctlRight?: true;
}
