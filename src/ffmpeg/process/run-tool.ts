import { execFile } from 'node:child_process';
import { withTemporaryFolder } from './temporary-folder.ts';

export interface ToolOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Bytes of an answer; the complete help of a full build is about 1.1 MB. */
const LARGEST_ANSWER = 32 * 1024 * 1024;

/**
 * Asks a program a question and returns what it printed, whatever its exit code. It runs in an empty folder
 * that is removed afterwards, with an empty environment and no input; SIGKILL after `timeoutMs`, because
 * ffmpeg can ignore SIGTERM while it parses. Throws when it cannot be started or did not end in time.
 */
export function runTool(path: string, args: readonly string[], timeoutMs: number): Promise<ToolOutput> {
  return withTemporaryFolder(
    (cwd) =>
      new Promise<ToolOutput>((resolve, reject) => {
        const child = execFile(
          path,
          args,
          {
            cwd,
            env: { AV_LOG_FORCE_NOCOLOR: '1', LANG: 'C' },
            timeout: timeoutMs,
            killSignal: 'SIGKILL',
            maxBuffer: LARGEST_ANSWER,
          },
          (error, stdout, stderr) => {
            const refused = error !== null && typeof error.code === 'number';
            if (error === null || refused) resolve({ stdout, stderr });
            else reject(new Error(`${path} ${args.join(' ')} gave no answer`, { cause: error }));
          },
        );
        child.stdin?.end();
      }),
  );
}
