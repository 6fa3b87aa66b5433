import { spawn } from 'node:child_process';

export interface CrashReaper {
  /** xargs(1), absolute: it waits for the end of its input, and takes a fraction of a Node's memory meanwhile. */
  readonly xargs: string;
  /** Absolute, with its arguments; run without input or output, in `/`. */
  readonly command: readonly [file: string, ...args: string[]];
  /** All the environment that the command has. */
  readonly env: Readonly<Record<string, string>>;
  /** Called where the guard could not be started, or was ended by another. */
  readonly onLost: (error?: Error) => void;
}

/**
 * Has `command` run once this process is gone, however it ends. Its session is its own, so that a kill of this
 * process's group does not reach it.
 *
 * @returns What ends the guard; `command` is not run then.
 */
export function startCrashReaper({ xargs, command, env, onLost }: CrashReaper): () => void {
  const guard = spawn(xargs, command, {
    cwd: '/',
    env,
    // Nobody else has this end of the pipe: Node opens it close-on-exec. It ends with the last thread of this process.
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.once('error', onLost);
  guard.once('exit', () => {
    if (!guard.killed) onLost();
  });
  // Nothing is ever written; but a error of this pipe is no reason to end the service.
  guard.stdin.on('error', () => undefined);
  guard.unref();
  return () => void guard.kill('SIGKILL');
}
