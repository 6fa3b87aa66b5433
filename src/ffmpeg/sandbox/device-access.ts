import type { DeviceType } from '../../domain/devices.ts';

/** What a program needs of this machine to use a hardware device. All paths are absolute, symlinks resolved. */
export interface DeviceAccess {
  readonly type: DeviceType;
  /** The device nodes, which the program reads and writes. */
  readonly nodes: readonly string[];
  /** What drivers read about the device: files and folders of /sys and /proc. */
  readonly reads: readonly string[];
  /** Symlinks that drivers follow to `reads`: each path and its target. */
  readonly links: readonly (readonly [path: string, target: string])[];
  /** The node that an argv names. Absent if argvs name none. */
  readonly named?: { readonly logical: string; readonly node: string };
  /** The environment in which a program without a sandbox sees this device alone. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether the driver needs a /proc, with nothing in it but the processes of the job and facts about the kernel. */
  readonly needsProc?: true;
  /**
   * Whether Landlock has a right of its own for calls of drivers (`ioctl-dev`, kernel 6.10 and a setpriv that knows it).
   */
  readonly hasIoctlRight?: true;
}
