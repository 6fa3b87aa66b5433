import { spawn } from 'node:child_process';

export interface CrashReaper {
  /** Absolute path of xargs(1). It waits for the end of its input and needs a fraction of a Node process's memory. */
  readonly xargs: string;
  /** Absolute path with its arguments. Runs in `/`, without input or output. */
  readonly command: readonly [file: string, ...args: string[]];
  /** The complete environment of the command. */
  readonly env: Readonly<Record<string, string>>;
  /** Called when the reaper could not be started, or when something else ended it. */
  readonly onLost: (error?: Error) => void;
}

/**
 * Starts a process that runs `command` once this process is gone, however it ends. The reaper has its own session, so
 * a kill of this process's group does not reach it.
 *
 * @returns A function that ends the reaper without running `command`.
 */
export function startCrashReaper({ xargs, command, env, onLost }: CrashReaper): () => void {
  const reaper = spawn(xargs, command, {
    cwd: '/',
    env,
    // Only this process holds the other end of the pipe: Node opens it close-on-exec. It closes with our last thread.
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  reaper.once('error', onLost);
  reaper.once('exit', () => {
    if (!reaper.killed) onLost();
  });
  // Nothing is ever written, and an error of this pipe must not end the service.
  reaper.stdin.on('error', () => undefined);
  reaper.unref();
  return () => void reaper.kill('SIGKILL');
}
