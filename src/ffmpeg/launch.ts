import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import type { Command } from './confine.ts';
import { LineSplitter } from './lines.ts';

/** How a process ended: its exit code, or the signal that ended it. Behind bwrap a signal is code 128 + number. */
export interface End {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Launched {
  /** Once nothing of it is left and all it wrote was read. Rejects when it could not be started. */
  readonly ended: Promise<End>;
  /** The process to signal: ffmpeg, or process 1 of its sandbox. undefined while bwrap has not told, and at the end. */
  pid(): number | undefined;
  /** SIGTERM: ffmpeg closes its file properly, if it still listens. */
  terminate(): void;
  /** SIGKILL to it and all that it started. */
  kill(): void;
}

/** Starts `command`, its input closed, and hands on what it writes line by line. */
export function launch(
  command: Command,
  take: { readonly out: (line: string) => void; readonly err: (line: string) => void },
): Launched {
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe', ...(command.statusFd === undefined ? [] : ['pipe' as const])],
  });
  let target = command.statusFd === undefined ? child.pid : undefined;
  let gone = false;
  let killed = false;
  const send = (signal: NodeJS.Signals): void => {
    if (gone || target === undefined) return;
    try {
      process.kill(target, signal);
    } catch {
      // It ended by itself in this very moment.
    }
  };
  forEachLine(child.stdout, take.out);
  forEachLine(child.stderr, take.err);
  const status = command.statusFd === undefined ? undefined : child.stdio[command.statusFd];
  forEachLine(status instanceof Readable ? status : null, (line) => {
    const told = /"child-pid": ?(\d+)/.exec(line)?.[1];
    if (told === undefined) return;
    target = Number(told);
    if (killed) send('SIGKILL');
  });
  child.once('exit', () => {
    gone = true;
  });
  return {
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => resolve({ code, signal }));
    }),
    pid: () => (gone ? undefined : target),
    terminate: () => send('SIGTERM'),
    kill: () => {
      // Before bwrap has told whom it runs, killing bwrap itself could orphan it: the kill waits for the pid.
      killed = true;
      send('SIGKILL');
    },
  };
}

function forEachLine(stream: Readable | null, take: (line: string) => void): void {
  if (stream === null) return;
  const lines = new LineSplitter(take);
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => lines.push(chunk));
  stream.on('end', () => lines.end());
  // A broken pipe is the other side's end, which 'close' reports.
  stream.on('error', () => undefined);
}
