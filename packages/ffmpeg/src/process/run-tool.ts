import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';

interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** The maximum output in bytes. The complete help of a full build has about 1.1 MB. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/**
 * Runs a program without input and with a minimal environment, and returns its output, whatever its exit code is. It runs in `/`, so `args`
 * must not contain relative paths. After `timeoutMs`, the program gets SIGKILL, because ffmpeg can ignore SIGTERM while it parses. Throws
 * if the program cannot start or does not end in time.
 *
 * @param niceness Default: the niceness of this process.
 */
export function runTool(
  path: string,
  args: readonly string[],
  timeoutMs: number,
  niceness?: number,
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

/** Lowers the priority before the program loads its libraries. The program may already have ended, or never have started. */
function lowerPriority(pid: number | undefined, niceness: number): void {
  try {
    if (pid !== undefined) setPriority(pid, niceness);
  } catch {
    // Ignore the error: the program then keeps its priority.
  }
}
