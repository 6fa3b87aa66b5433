/** The small programs that stand between the service and ffmpeg or ffprobe, by absolute path. */
export interface SandboxTools {
  readonly prlimit: string;
  readonly nice: string;
  readonly timeout: string;
  readonly setpriv: string;
}

/** What holds ffmpeg on this machine; found once, at start, by trying. */
export type Sandbox =
  | {
      readonly kind: 'bubblewrap';
      readonly bwrap: string;
      readonly tools: Pick<SandboxTools, 'prlimit' | 'nice' | 'timeout'>;
      /** Options for bwrap that show the programs, the system's libraries and fonts, read-only, and nothing else. */
      readonly view: readonly string[];
      /** bwrap can show a file that is open (`--ro-bind-fd`, since 0.10 and in many older ones that were mended). */
      readonly showsOpenFiles: boolean;
    }
  | {
      readonly kind: 'none';
      /** Why there is none, a sentence for the operator. */
      readonly reason: string;
      /** What the operator can do about it. */
      readonly fix: string;
      readonly tools: Partial<SandboxTools>;
    };
