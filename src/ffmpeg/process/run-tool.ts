import { execFile } from 'node:child_process';

export interface ProgramOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** The most bytes of output. The complete help of a full build is about 1.1 MB. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/**
 * Runs a program and returns its output, whatever its exit code, with a minimal environment and no input. `args` must
 * name no relative path, because it runs in `/`. After `timeoutMs` it gets SIGKILL, because ffmpeg can ignore SIGTERM
 * while it parses. Throws if the program cannot be started or does not exit in time.
 */
export function runTool(path: string, args: readonly string[], timeoutMs: number): Promise<ProgramOutput> {
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
    child.stdin?.end();
  });
}
