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

/** A sandbox of namespaces and mounts: the program sees only its own files. */
export interface BubblewrapSandbox extends ProcessSettings {
  readonly kind: 'bubblewrap';
  readonly bwrap: string;
  readonly tools: Pick<SandboxTools, 'prlimit' | 'nice' | 'timeout'>;
  /** The bwrap options that mount programs, system libraries and fonts, all read-only. */
  readonly view: readonly string[];
  /** True if bwrap can mount an open file (`--ro-bind-fd`, since 0.10 and in many patched older packages). */
  readonly showsOpenFiles: boolean;
  /** True if bwrap can deny further user namespaces. It cannot if /proc/sys is read-only, as in containers. */
  readonly disablesUserns: boolean;
  /** The system call filter of `seccomp/`. Absent on an unknown architecture. */
  readonly filter?: Uint8Array;
}

/** A sandbox of kernel rules: the program can open only its own files. It has the system call filter, but no namespaces. */
export interface LandlockSandbox extends ProcessSettings {
  readonly kind: 'landlock';
  readonly tools: SandboxTools;
  /** The setpriv options that allow reading programs, system libraries and fonts. */
  readonly view: readonly string[];
  /** A descriptor of the file with the system call filter, open while the service runs. */
  readonly filterFd: number;
  /** True if the service runs as root. setpriv then drops its privileges. */
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

/** How ffmpeg is isolated on this machine, found once at the start of the service. */
export type Sandbox = BubblewrapSandbox | LandlockSandbox | NoSandbox;

/** Returns what the sandbox does not protect against, as a sentence for the operator. undefined: nothing. */
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

/** What a program needs of this machine to use a hardware device. All paths are absolute, with symlinks resolved. */
export interface DeviceAccess {
  readonly type: DeviceType;
  /** The device nodes, which the program reads and writes. */
  readonly nodes: readonly string[];
  /** The files and folders in /sys and /proc that drivers read. */
  readonly reads: readonly string[];
  /** The symlinks that drivers follow to `reads`: path and target of each. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** The node that an argv names, by its logical name. Absent: no argv names a node. */
  readonly named?: { readonly logical: string; readonly node: string };
  /** Environment variables by which a program without a sandbox uses only this device. */
  readonly environment: Readonly<Record<string, string>>;
  /** True if the driver needs /proc, which then shows only processes of the job and facts about the kernel. */
  readonly needsProc?: true;
  /** True if Landlock has a right for driver calls (`ioctl-dev`: kernel 6.10, and a setpriv that supports it). */
  readonly hasIoctlRight?: true;
}
