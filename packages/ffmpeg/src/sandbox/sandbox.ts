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

/** Namespaces and mounts: the program sees no files of the machine except its own. */
export interface BubblewrapSandbox extends ProcessSettings {
  readonly kind: 'bubblewrap';
  readonly bwrap: string;
  readonly tools: Pick<SandboxTools, 'prlimit' | 'nice' | 'timeout'>;
  /** The bwrap options that mount the programs, the libraries of the system and the fonts, all read-only. */
  readonly view: readonly string[];
  /** Whether bwrap can mount an open file (`--ro-bind-fd`, since 0.10 and in many patched older packages). */
  readonly showsOpenFiles: boolean;
  /** Whether bwrap can deny further user namespaces. It cannot if /proc/sys is read-only, as in containers. */
  readonly disablesUserns: boolean;
  /** The system call filter (see `seccomp/`). Absent on an unknown architecture. */
  readonly filter?: Uint8Array;
}

/** Kernel rules about the files that the program may open, and the system call filter. Needs no namespace. */
export interface LandlockSandbox extends ProcessSettings {
  readonly kind: 'landlock';
  readonly tools: SandboxTools;
  /** The setpriv options that allow reading the programs, the libraries of the system and the fonts. */
  readonly view: readonly string[];
  /** An open descriptor of the file with the system call filter. It stays open while the service runs. */
  readonly filterFd: number;
  /** Whether the service runs as root. setpriv then drops privileges. */
  readonly isRoot: boolean;
}

export interface NoSandbox extends ProcessSettings {
  readonly kind: 'none';
  /** Why there is no sandbox, as a sentence for the operator. */
  readonly reason: string;
  /** How to get a sandbox, as a sentence for the operator. */
  readonly fix: string;
  readonly tools: Partial<SandboxTools>;
}

/** The isolation of ffmpeg on this machine. It is determined once, at the start of the service. */
export type Sandbox = BubblewrapSandbox | LandlockSandbox | NoSandbox;

/** What the sandbox does not protect against, as a sentence for the operator. undefined: it protects completely. */
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

/** The files of this machine that a program needs to use a hardware device. All paths are absolute, with symlinks resolved. */
export interface DeviceAccess {
  readonly type: DeviceType;
  /** The device nodes, which the program reads and writes. */
  readonly nodes: readonly string[];
  /** The files and folders in /sys and /proc that drivers read. */
  readonly reads: readonly string[];
  /** The symlinks that drivers follow to `reads`: path and target of each. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** The node that an argv names, and its logical name. Absent if no argv names a node. */
  readonly named?: { readonly logical: string; readonly node: string };
  /** Environment variables that limit a program without a sandbox to this device. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the driver needs /proc. This /proc shows only processes of the job and facts about the kernel. */
  readonly needsProc?: true;
  /** Whether Landlock has a right for driver calls (`ioctl-dev`: kernel 6.10, and a setpriv that supports it). */
  readonly hasIoctlRight?: true;
}
