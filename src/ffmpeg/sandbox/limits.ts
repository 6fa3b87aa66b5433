import type { ClientLimits } from '../../domain/client-limits.ts';

/** Limits for one ffmpeg process. The kernel enforces them (setrlimit), so no option and no file can exceed them. */
export interface KernelLimits {
  /** Bytes of address space. */
  readonly addressSpaceBytes: number | undefined;
  /** Seconds of processor time of all threads together. Ends an ffmpeg whose expression never returns. */
  readonly cpuSeconds: number;
  /** Bytes per file that the process writes. */
  readonly fileSizeBytes: number | undefined;
  /** Open files: inputs, segments, and libraries during loading. */
  readonly openFiles: number;
  /**
   * Threads. Enforced only inside the sandbox, because outside the kernel counts every thread of the service's user on
   * the machine. The kernel never enforces it for root. `watchThreadCount` checks the limit in both cases.
   */
  readonly threads: number | undefined;
}

/** Derives the limits that the kernel enforces from a policy. `cores`: the number of processors that ffmpeg may use. */
export const kernelLimits = (policy: ClientLimits, timeoutSeconds: number, cores: number): KernelLimits => ({
  addressSpaceBytes: policy.memory,
  cpuSeconds: Math.min(policy.cpu ?? Number.POSITIVE_INFINITY, Math.ceil(timeoutSeconds * cores)),
  fileSizeBytes: policy.output,
  openFiles: 1024,
  threads: policy.processes,
});

/** Seconds between SIGXCPU, after which ffmpeg can exit gracefully, and SIGKILL. */
const CPU_GRACE_SECONDS = 5;

/** Options for prlimit(1). No core dump: it would contain the client's media. */
export function prlimitOptions(limits: KernelLimits, inSandbox: boolean): readonly string[] {
  const option = (name: string, max: number | undefined): readonly string[] =>
    max === undefined ? [] : [`--${name}=${max}`];
  return [
    ...option('as', limits.addressSpaceBytes),
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + CPU_GRACE_SECONDS}`,
    ...option('fsize', limits.fileSizeBytes),
    `--nofile=${limits.openFiles}`,
    ...(inSandbox ? option('nproc', limits.threads) : []),
    '--core=0',
  ];
}
