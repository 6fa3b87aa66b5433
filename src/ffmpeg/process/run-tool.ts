import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';

interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** The most bytes of output. The complete help of a full build is about 1.1 MB. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/** The niceness of what nobody waits for: that of conversions, unless the operator changes it. */
const BACKGROUND_NICENESS = 19;

interface RunToolOptions {
  /** Whether it leaves the processor to others, because nobody waits for it. */
  readonly inBackground?: boolean;
  /** Its niceness. Default: that of this process, or the lowest priority in the background. */
  readonly niceness?: number | undefined;
  /** An abort kills it. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a program and returns its output, whatever its exit code, with a minimal environment and no input. `args` must
 * name no relative path, because it runs in `/`. After `timeoutMs` it gets SIGKILL, because ffmpeg can ignore SIGTERM
 * while it parses. Throws if the program cannot be started or does not exit in time.
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

/** Before it has loaded its libraries. It may have ended, or never started. */
function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // It runs as others do.
  }
}
