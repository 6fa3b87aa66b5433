import type { HardLimits } from './limits.ts';

/** Absolute paths of the programs that wrap ffmpeg and ffprobe. */
export interface SandboxTools {
  readonly prlimit: string;
  readonly nice: string;
  readonly timeout: string;
  readonly setpriv: string;
}

/** The isolation that this machine offers for ffmpeg. Determined once, at start. */
export type Sandbox =
  | {
      readonly kind: 'bubblewrap';
      readonly bwrap: string;
      readonly tools: Pick<SandboxTools, 'prlimit' | 'nice' | 'timeout'>;
      /** bwrap options that mount only the programs, the system's libraries and fonts, all read-only. */
      readonly view: readonly string[];
      /** Whether bwrap can mount an open file (`--ro-bind-fd`, since 0.10 and in many patched older packages). */
      readonly showsOpenFiles: boolean;
      /** Whether bwrap can forbid further user namespaces. It cannot where /proc/sys is read-only, as in containers. */
      readonly disablesUserns: boolean;
      /** The filter of system calls (see `seccomp/`); absent on an architecture that it does not know. */
      readonly filter?: Uint8Array;
      readonly hardLimits: HardLimits;
    }
  | {
      readonly kind: 'none';
      /** A sentence that tells the operator why there is no sandbox. */
      readonly reason: string;
      /** A sentence that tells the operator how to get one. */
      readonly fix: string;
      readonly tools: Partial<SandboxTools>;
      readonly hardLimits: HardLimits;
    };
