import { availableParallelism } from 'node:os';
import type { ClientLimits } from '../../domain/client-limits.ts';

/** The number of processors that ffmpeg may use. Read once, because each call reads the files of cgroups, which takes 0.2 ms. */
export const CORES = availableParallelism();

/** Limits for one ffmpeg process. The kernel enforces them (setrlimit), so no option and no file can exceed them. */
export interface KernelLimits {
  /** Bytes of address space. */
  readonly addressSpaceBytes: number | undefined;
  /** Bytes of private memory that the process can write to. Absent: any number. */
  readonly dataBytes?: number;
  /** Seconds of processor time of all threads together. Ends an ffmpeg whose expression never returns. */
  readonly cpuSeconds: number;
  /** Bytes per file that the process writes. */
  readonly fileSizeBytes: number | undefined;
  /** Open files: inputs, segments, and libraries during loading. */
  readonly openFiles: number;
  /**
   * Threads. Set only inside the sandbox: without one, the kernel would count every thread of the service's user on the
   * machine. The kernel does not limit the threads of root. `watchThreadCount` checks the limit in every case.
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

/**
 * The limits for a process that uses a hardware device. Drivers reserve address space for the memory of the device and of
 * the machine together, without using it, so the memory that the process itself allocates is limited instead.
 */
export const limitsWithDevice = ({ addressSpaceBytes, ...limits }: KernelLimits): KernelLimits => ({
  ...limits,
  addressSpaceBytes: undefined,
  ...(addressSpaceBytes !== undefined && { dataBytes: addressSpaceBytes }),
});

/** Seconds between SIGXCPU, after which ffmpeg can exit gracefully, and SIGKILL. */
const CPU_GRACE_SECONDS = 5;

/**
 * The hard limits of the service, which its children inherit and cannot raise. A missing key means no limit. Their names
 * are those of prlimit(1).
 */
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
 * Options for prlimit(1). A limit above a hard limit of the service becomes that hard limit, because prlimit would fail.
 * No core dump: it would contain the client's media.
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
