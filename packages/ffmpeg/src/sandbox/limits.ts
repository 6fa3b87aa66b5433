import { availableParallelism } from 'node:os';
import type { ClientLimits } from '@telecine/contract/domain/client-limits.ts';

/** How many processors ffmpeg may use. Read once, because each call reads cgroup files for 0.2 ms. */
export const CORES = availableParallelism();

/** The limits of one ffmpeg process. The kernel enforces them (setrlimit). */
export interface KernelLimits {
  /** Bytes of address space. */
  readonly addressSpaceBytes: number | undefined;
  /** Bytes of writable private memory. Absent: no limit. */
  readonly dataBytes?: number;
  /** Seconds of processor time of all threads together. This ends an ffmpeg that computes an endless expression. */
  readonly cpuSeconds: number;
  /** Bytes of each file that the process writes. */
  readonly fileSizeBytes: number | undefined;
  /** How many files may be open at once: inputs, segments and, while ffmpeg loads, libraries. */
  readonly openFiles: number;
  /**
   * How many threads may run. prlimit(1) sets this limit only in a sandbox, because elsewhere the kernel counts all threads of the
   * service's user, and never limits root. `watchThreadCount` checks it in every case.
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
 * The limits of a process with a hardware device. They limit allocated memory instead of address space, because drivers reserve as much
 * address space as the device and the machine have memory.
 */
export const limitsWithDevice = ({ addressSpaceBytes, ...limits }: KernelLimits): KernelLimits => ({
  ...limits,
  addressSpaceBytes: undefined,
  ...(addressSpaceBytes !== undefined && { dataBytes: addressSpaceBytes }),
});

/** Seconds between SIGXCPU, at which ffmpeg can still close its output, and SIGKILL. */
const CPU_GRACE_SECONDS = 5;

/** The hard limits of the service, which its child processes cannot raise, by their names in prlimit(1). Absent: no limit. */
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
 * Returns the options for prlimit(1). If a hard limit of the service is lower than a limit, it is used instead, because prlimit(1) would
 * fail. Core dumps are off, because they would contain media of the client.
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
