import { availableParallelism } from 'node:os';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';

/** The number of processors that ffmpeg may use. Read once, because each call reads files of cgroups for 0.2 ms. */
export const CORES = availableParallelism();

/** Limits of one ffmpeg process, which the kernel enforces (setrlimit). */
export interface KernelLimits {
  /** Bytes of address space. */
  readonly addressSpaceBytes: number | undefined;
  /** Bytes of writable private memory. Absent for no limit. */
  readonly dataBytes?: number;
  /** Seconds of processor time of all threads. Ends an ffmpeg with an endless expression. */
  readonly cpuSeconds: number;
  /** Bytes per file that the process writes. */
  readonly fileSizeBytes: number | undefined;
  /** Open files: inputs, segments, and libraries during loading. */
  readonly openFiles: number;
  /**
   * Threads. Only in a sandbox: without one, the kernel would count all threads of the service's user. It does not limit
   * the threads of root. `watchThreadCount` always checks the limit.
   */
  readonly threads: number | undefined;
}

export const kernelLimits = (policy: ClientLimits, timeoutSeconds: number, cores: number): KernelLimits => ({
  addressSpaceBytes: policy.memory,
  cpuSeconds: Math.min(policy.cpu ?? Number.POSITIVE_INFINITY, Math.ceil(timeoutSeconds * cores)),
  fileSizeBytes: policy.output,
  openFiles: 1024,
  threads: policy.processes,
});

/**
 * The limits of a process with a hardware device. Drivers reserve address space for all memory of the device and of the
 * machine, so the limit is about the memory that the process allocates.
 */
export const limitsWithDevice = ({ addressSpaceBytes, ...limits }: KernelLimits): KernelLimits => ({
  ...limits,
  addressSpaceBytes: undefined,
  ...(addressSpaceBytes !== undefined && { dataBytes: addressSpaceBytes }),
});

/** Seconds between SIGXCPU, at which ffmpeg can exit gracefully, and SIGKILL. */
const CPU_GRACE_SECONDS = 5;

/** The hard limits of the service by their names in prlimit(1). Its children cannot raise them. Absent for no limit. */
export interface HardLimits {
  readonly as?: number;
  readonly data?: number;
  readonly cpu?: number;
  readonly fsize?: number;
  readonly nofile?: number;
  readonly nproc?: number;
}

const NAMES: Readonly<Record<string, keyof HardLimits>> = {
  'Max address space': 'as',
  'Max data size': 'data',
  'Max cpu time': 'cpu',
  'Max file size': 'fsize',
  'Max open files': 'nofile',
  'Max processes': 'nproc',
};

/** Parses the text of /proc/PID/limits. */
export const parseHardLimits = (text: string): HardLimits =>
  Object.fromEntries(
    [...text.matchAll(/^(Max [a-z ]+?) {2,}\S+ +(\d+) /gm)].flatMap(([, title = '', hard]) => {
      const name = NAMES[title];
      return name === undefined ? [] : [[name, Number(hard)]];
    }),
  );

/**
 * Options for prlimit(1). A hard limit of the service replaces a higher limit, at which prlimit would fail. Without core
 * dumps, which would contain the client's media.
 */
export function prlimitOptions(limits: KernelLimits, hard: HardLimits, inSandbox: boolean): readonly string[] {
  const most = (name: keyof HardLimits, wanted: number): number => Math.min(wanted, hard[name] ?? wanted);
  const option = (name: keyof HardLimits, wanted: number | undefined): readonly string[] =>
    wanted === undefined ? [] : [`--${name}=${most(name, wanted)}`];
  return [
    ...option('as', limits.addressSpaceBytes),
    ...option('data', limits.dataBytes),
    `--cpu=${most('cpu', limits.cpuSeconds)}:${most('cpu', limits.cpuSeconds + CPU_GRACE_SECONDS)}`,
    ...option('fsize', limits.fileSizeBytes),
    ...option('nofile', limits.openFiles),
    ...(inSandbox ? option('nproc', limits.threads) : []),
    '--core=0',
  ];
}
