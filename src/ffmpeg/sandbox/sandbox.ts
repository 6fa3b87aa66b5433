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
    }
  | {
      readonly kind: 'none';
      /** A sentence that tells the operator why there is no sandbox. */
      readonly reason: string;
      /** A sentence that tells the operator how to get one. */
      readonly fix: string;
      readonly tools: Partial<SandboxTools>;
    };
