import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';

interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** The most bytes of output. The complete help of a full build is about 1.1 MB. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/** The default niceness of conversions. */
const BACKGROUND_NICENESS = 19;

interface RunToolOptions {
  /** Whether the program leaves the processor to others, because nobody waits for it. */
  readonly inBackground?: boolean;
  /** Default: the niceness of this process, or the lowest priority in the background. */
  readonly niceness?: number | undefined;
  /** An abort kills the program. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a program with a minimal environment and no input, and returns its output, whatever its exit code. `args` must not
 * name relative paths, because it runs in `/`. After `timeoutMs`, it gets SIGKILL, because ffmpeg can ignore SIGTERM while
 * it parses. Throws if the program cannot start or does not exit in time.
 */
export function runTool(
  path: string,
  args: readonly string[],
  timeoutMs: number,
  { inBackground = false, niceness = inBackground ? BACKGROUND_NICENESS : undefined, signal }: RunToolOptions = {},
): Promise<ProgramOutput> {
  return new Promise<ProgramOutput>((resolve, reject) => {
    const child = execFile(
      path,
      args,
      {
        cwd: '/',
        env: { AV_LOG_FORCE_NOCOLOR: '1', LANG: 'C' },
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
        ...(signal && { signal }),
      },
      (error, stdout, stderr) => {
        const exitedNonZero = error !== null && typeof error.code === 'number';
        if (error === null || exitedNonZero) resolve({ stdout, stderr });
        else reject(new Error(`${path} ${args.join(' ')} did not answer`, { cause: error }));
      },
    );
    if (niceness !== undefined) lowerPriority(child.pid, niceness);
    child.stdin?.end();
  });
}

/** Lowers the priority before the program loads its libraries. It may have ended, or never started. */
function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It keeps the usual priority.
  }
}
