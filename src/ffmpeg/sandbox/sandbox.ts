/** Absolute paths of the programs that wrap ffmpeg and ffprobe. */
export interface SandboxTools {
  readonly prlimit: string;
  readonly nice: string;
  readonly timeout: string;
  readonly setpriv: string;
}

/** What isolates ffmpeg on this machine; determined once, at start. */
export type Sandbox =
  | {
      readonly kind: 'bubblewrap';
      readonly bwrap: string;
      readonly tools: Pick<SandboxTools, 'prlimit' | 'nice' | 'timeout'>;
      /** bwrap options that mount only the programs, the system's libraries and fonts, all read-only. */
      readonly view: readonly string[];
      /** Whether bwrap can mount an open file (`--ro-bind-fd`: since 0.10, and backported to many older packages). */
      readonly showsOpenFiles: boolean;
    }
  | {
      readonly kind: 'none';
      /** Why there is no sandbox: a sentence for the operator. */
      readonly reason: string;
      /** What the operator can do. */
      readonly fix: string;
      readonly tools: Partial<SandboxTools>;
    };
