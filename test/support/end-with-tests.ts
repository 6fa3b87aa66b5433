import type { ChildProcess } from 'node:child_process';
import { startCrashReaper } from '../../packages/ffmpeg/src/process/orphan-processes.ts';
import { onPath } from '../../scripts/setup/command.ts';

/**
 * Kills a process that runs for longer than a command, once this process has ended: `timeout` and Ctrl-C end the tests
 * without their hooks, and a bench that fails ends without stopping its services. A process that leads a group (`detached`) is killed with its group.
 */
export function endWithTests(child: ChildProcess, { isGroup = false } = {}): void {
  const xargs = onPath('xargs');
  if (xargs === undefined || child.pid === undefined || hasEnded(child)) return;
  const target = isGroup ? -child.pid : child.pid;
  const stop = startCrashReaper({
    xargs,
    command: ['/bin/sh', '-c', `kill -9 ${target}`],
    env: {},
    onLost: () => undefined,
  });
  // The kernel uses the id again.
  child.once('exit', stop);
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;
