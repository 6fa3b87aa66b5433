import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

interface Child {
  readonly process: ChildProcess;
  /** The lines of standard output so far. */
  readonly lines: readonly string[];
  /** Resolves when it has written `count` lines. Rejects if it ends before. */
  wrote(count: number): Promise<void>;
  /** Resolves to the exit code (null after a signal) when all output was read. */
  readonly ended: Promise<number | null>;
}

/** Starts a program on the Node of the tests. Killed after the test if it is still running. */
export function startProgram(program: string, args: readonly string[]): Child {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    process: child,
    lines,
    ended,
    wrote: (count) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (lines.length >= count) resolve();
        };
        reader.on('line', check);
        ended.then(
          () => (lines.length >= count ? resolve() : reject(new Error(`It ended after ${lines.length} lines`))),
          reject,
        );
        check();
      }),
  };
}
