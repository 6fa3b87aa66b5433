import { spawn } from 'node:child_process';
import { Duplex, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants } from './process-tree.ts';

/** One process to start: no shell, no inherited environment. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * The program is the first child of this process, and process 1 of a PID namespace: when it ends, everything in the
   * namespace ends. Only then are `READY_FD` and `GO_FD` opened.
   */
  readonly inNamespace: boolean;
  /** File descriptors of the service that the process inherits as `FIRST_FILE_FD`, `FIRST_FILE_FD + 1`, … */
  readonly files: readonly number[];
}

/** bwrap reads this descriptor to its end once the files are in place, and closes it. */
export const READY_FD = 3;
/** bwrap waits for a byte or the end of this descriptor before it starts the program. */
export const GO_FD = 4;

/** The first inherited input file (see `Command.files`); bwrap closes each once it is mounted. */
export const FIRST_FILE_FD = 5;

/** How a process ended: its exit code, or the signal that ended it. Behind bwrap a signal is code 128 + number. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LaunchedProcess {
  /** Once nothing of it is left and all it wrote was read. Rejects when it could not be started. */
  readonly ended: Promise<ProcessEnd>;
  /** The first process of the chain; undefined once it is gone. */
  pid(): number | undefined;
  /** SIGTERM: ffmpeg closes its file properly, if it still listens. */
  terminate(): Promise<void>;
  /** SIGKILL to it and all that it started. */
  kill(): Promise<void>;
}

/** Takes what a process writes, in pieces of any length. */
export interface OutputListener {
  push(piece: string): void;
  end(): void;
}

/** Starts `command`, its input closed, and hands on what it writes. */
export function launch(
  command: Command,
  listen: { readonly out: OutputListener; readonly err: OutputListener },
): LaunchedProcess {
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe', ...(command.inNamespace ? (['pipe', 'pipe'] as const) : []), ...command.files],
    // A session of its own: Ctrl-C in the service's terminal is for the service, which lets conversions end.
    detached: true,
  });
  if (command.inNamespace) letGoWhenReady(child.stdio[READY_FD], child.stdio[GO_FD]);
  let gone = child.pid === undefined;
  child.once('exit', () => {
    gone = true;
  });
  hear(child.stdout, listen.out);
  hear(child.stderr, listen.err);
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const pid = (): number | undefined => (gone ? undefined : child.pid);
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    for (let outer = pid(); outer !== undefined; outer = pid()) {
      const target = command.inNamespace ? (await descendants(outer))[0] : outer;
      if (gone) return;
      if (target !== undefined) return send(target, name);
      await sleep(RETRY_MS);
    }
  };
  return { ended, pid, terminate: () => signal('SIGTERM'), kill: () => signal('SIGKILL') };
}

/** The handshake that `sandboxed` describes. */
function letGoWhenReady(ready: unknown, go: unknown): void {
  if (!(ready instanceof Duplex) || !(go instanceof Duplex)) return;
  // Where bwrap ended early both are broken, which its exit code tells.
  ready.on('error', () => undefined);
  go.on('error', () => undefined);
  go.resume();
  ready.once('close', () => go.end('go'));
  ready.resume();
  ready.end();
}

/**
 * In the first milliseconds bwrap has no child yet. Killing bwrap itself then could orphan the child that it is
 * about to make, so the signal waits for it.
 */
const RETRY_MS = 2;

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself in this very moment.
  }
}

function hear(stream: Readable | null, listener: OutputListener): void {
  if (stream === null) return;
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => listener.push(piece));
  stream.on('end', () => listener.end());
  // A broken pipe is the other side's end, which 'close' reports.
  stream.on('error', () => undefined);
}
