/** What one ffmpeg may use. The kernel holds it (setrlimit), so that no option and no file can go past it. */
export interface Limits {
  /** Bytes of address space. SVT-AV1 takes 2.3 GiB for 1080p; each thread asks for 8 MiB of stack. */
  readonly addressSpaceBytes: number;
  /** Seconds of processor time, all threads together; ends an expression that never returns. */
  readonly cpuSeconds: number;
  /** Bytes of one file that it writes. */
  readonly fileSizeBytes: number;
  /** Open files: every input, segment and library on its way in. */
  readonly openFiles: number;
  /**
   * Threads. Held inside the sandbox only: outside, the kernel counts all that the service's user runs anywhere
   * on the machine. Never held for root, whose threads the address space bounds.
   */
  readonly threads: number;
}

const GIB = 1024 ** 3;

/** @param cores Processors that ffmpeg may use: threads, and so memory and processor time, grow with them. */
export function defaultLimits(timeoutSeconds: number, cores: number): Limits {
  return {
    addressSpaceBytes: 4 * GIB + cores * (GIB / 4),
    cpuSeconds: Math.ceil(timeoutSeconds * cores),
    fileSizeBytes: 256 * GIB,
    openFiles: 1024,
    threads: 512 + 64 * cores,
  };
}

/** Seconds from the SIGXCPU that ffmpeg can end on to the SIGKILL that it cannot ignore. */
const CPU_GRACE_SECONDS = 5;

/** Options for prlimit(1). No core file: it would hold what the caller's media held. */
export function prlimitOptions(limits: Limits, inSandbox: boolean): readonly string[] {
  return [
    `--as=${limits.addressSpaceBytes}`,
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + CPU_GRACE_SECONDS}`,
    `--fsize=${limits.fileSizeBytes}`,
    `--nofile=${limits.openFiles}`,
    ...(inSandbox ? [`--nproc=${limits.threads}`] : []),
    '--core=0',
  ];
}
