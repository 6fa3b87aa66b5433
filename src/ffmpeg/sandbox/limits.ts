import type { Policy } from '../../domain/policy.ts';

/** What one ffmpeg may use. The kernel holds it (setrlimit), so that no option and no file can go past it. */
export interface KernelLimits {
  /** Bytes of address space. */
  readonly addressSpaceBytes: number | undefined;
  /** Seconds of processor time, all threads together; ends an expression that never returns. */
  readonly cpuSeconds: number;
  /** Bytes of one file that it writes. */
  readonly fileSizeBytes: number | undefined;
  /** Open files: every input, segment and library on its way in. */
  readonly openFiles: number;
  /**
   * Threads. Held inside the sandbox only: outside, the kernel counts all that the service's user runs anywhere
   * on the machine. Never held for root; there `watchTasks` counts.
   */
  readonly threads: number | undefined;
}

/** What the kernel holds of a policy. `cores`: processors that ffmpeg may use. */
export const kernelLimits = (policy: Policy, timeoutSeconds: number, cores: number): KernelLimits => ({
  addressSpaceBytes: policy.memory,
  cpuSeconds: Math.min(policy.cpu ?? Number.POSITIVE_INFINITY, Math.ceil(timeoutSeconds * cores)),
  fileSizeBytes: policy.output,
  openFiles: 1024,
  threads: policy.processes,
});

/** Seconds from the SIGXCPU that ffmpeg can end on to the SIGKILL that it cannot ignore. */
const CPU_GRACE_SECONDS = 5;

/** Options for prlimit(1). No core file: it would hold what the caller's media held. */
export function prlimitOptions(limits: KernelLimits, inSandbox: boolean): readonly string[] {
  const option = (name: string, most: number | undefined): readonly string[] =>
    most === undefined ? [] : [`--${name}=${most}`];
  return [
    ...option('as', limits.addressSpaceBytes),
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + CPU_GRACE_SECONDS}`,
    ...option('fsize', limits.fileSizeBytes),
    `--nofile=${limits.openFiles}`,
    ...(inSandbox ? option('nproc', limits.threads) : []),
    '--core=0',
  ];
}
