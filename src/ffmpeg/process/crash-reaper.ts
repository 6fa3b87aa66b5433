import { spawn } from 'node:child_process';

export interface CrashReaper {
  /** Absolute path of xargs(1), which waits for end of file on its input and needs far less memory than Node. */
  readonly xargs: string;
  /** The absolute path of the program, then its arguments. It runs in `/`, without input or output. */
  readonly command: readonly [file: string, ...args: string[]];
  /** The complete environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** Called if the reaper could not be started, or if it ended although the service still runs. */
  readonly onLost: (error?: Error) => void;
}

/**
 * Starts a process that runs `command` once this process is gone, however it ends. The reaper has its own session, so a
 * signal to this process's group does not reach it.
 *
 * @returns A function that ends the reaper without running `command`.
 */
export function startCrashReaper({ xargs, command, env, onLost }: CrashReaper): () => void {
  const reaper = spawn(xargs, command, {
    cwd: '/',
    env,
    // Node opens the pipe close-on-exec, so only this process can write to it. It closes when our last thread ends.
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  reaper.once('error', onLost);
  reaper.once('exit', () => {
    if (!reaper.killed) onLost();
  });
  // The service never writes to this pipe, and an error of the pipe must not end the service.
  reaper.stdin.on('error', () => undefined);
  reaper.unref();
  return () => void reaper.kill('SIGKILL');
}
