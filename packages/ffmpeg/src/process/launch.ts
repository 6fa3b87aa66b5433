import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { Duplex, type Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '@telecine/contract/domain/errno.ts';
import { descendants, kill } from './process-tree.ts';

/** A process to start. It has no shell and inherits no environment. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * True if the program is process 1 of a PID namespace, and the first child of the started process. When it ends, every process in the
   * namespace ends. Such a program is started by bwrap, which gets `READY_FD` and `GO_FD`.
   */
  readonly inNamespace: boolean;
  /** True if the first process is a wrapper, whose child gets the signals. Always true with `inNamespace`. */
  readonly isWrapped?: boolean;
  /** The niceness of the session. The command also sets its own niceness by nice(1). */
  readonly niceness: number;
  /** The system call filter, which bwrap reads from `FILTER_FD`. Only with `inNamespace`. */
  readonly filter?: Uint8Array;
  /** Descriptors that the process inherits. Their numbers begin at `FIRST_FILE_FD` with `inNamespace`, or else at `FIRST_FREE_FD`. */
  readonly files: readonly number[];
}

/** The first descriptor after standard error. */
export const FIRST_FREE_FD = 3;

/** The descriptor that bwrap reads to its end and closes when it has mounted all files. */
export const READY_FD = 3;
/** The descriptor at which bwrap waits for a byte or the end of file before it starts the program. */
export const GO_FD = 4;

/** bwrap reads `Command.filter` from this descriptor to its end, then closes it. */
export const FILTER_FD = 5;

/** The first descriptor of `Command.files`. bwrap closes each descriptor after it has mounted its file. */
export const FIRST_FILE_FD = 6;

/** How a process ended: with an exit code or by a signal. bwrap reports a signal as exit code 128 plus its number. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface LaunchedProcess {
  /** Resolves when the program may start. It never resolves if the process ends earlier. */
  readonly started: Promise<void>;
  /** Resolves when the process has exited and all its output has been read. Rejects if the process cannot start. */
  readonly ended: Promise<ProcessEnd>;
  /** The id of the first process, which may be a wrapper such as bwrap. undefined: the process has exited. */
  pid(): number | undefined;
  /** The ids of the program and of all its descendants, without a wrapper. Empty after the program has ended. */
  processes(): Promise<readonly number[]>;
  /** Sends SIGTERM. ffmpeg then finishes its output file, unless it no longer handles signals. */
  terminate(): Promise<void>;
  /** Sends SIGKILL, which ends every process in the sandbox. */
  kill(): Promise<void>;
}

/** Receives the output of a process in chunks of any length. */
interface OutputListener {
  push(chunk: string): void;
  end(): void;
}

/** Moves the process `first` to its cgroup, then its descendants, until `others` returns no further processes. */
export type Enter = (first: number, others: () => Promise<readonly number[]>) => Promise<void>;

/** Resolves when a prepared program may start. `ended` settles when the program has ended, even if it never started. */
export type WaitForTurn = (ended: Promise<unknown>) => Promise<void>;

/**
 * Starts `command` without input, and passes its output to the listeners.
 *
 * @param enter Moves the processes of the program to a cgroup. With `inNamespace`, the program starts only afterwards. Without it, they are
 * moved in the milliseconds while the first process is still setpriv, prlimit or nice. If `enter` fails, the processes are killed, and
 * `ended` rejects.
 * @param waitForTurn Called after `enter`, only with `inNamespace`. The program starts when its promise resolves.
 */
export function launch(
  command: Command,
  listeners: { readonly out: OutputListener; readonly err: OutputListener },
  enter: Enter = async () => undefined,
  waitForTurn: WaitForTurn = async () => undefined,
): LaunchedProcess {
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ['ignore', 'pipe', 'pipe', ...(command.inNamespace ? namespacePipes(command) : []), ...command.files],
    // Start a new session, so that ffmpeg does not get the Ctrl-C of the terminal, at which the service drains its jobs.
    detached: true,
  });
  if (child.pid !== undefined) lowerSessionPriority(child.pid, command.niceness);
  const streams: readonly unknown[] = child.stdio;
  if (command.filter !== undefined) sendFilter(streams[FILTER_FD], command.filter);
  let entryError: unknown;
  let gone = child.pid === undefined;
  child.once('exit', () => {
    gone = true;
  });
  forward(child.stdout, listeners.out);
  forward(child.stderr, listeners.err);
  const ended = new Promise<ProcessEnd>((resolve, reject) => {
    child.once('error', (error) => {
      // Remove the argv, which Node adds to the error: it may contain keys, and the log shows all members of an error.
      Reflect.deleteProperty(error, 'spawnargs');
      reject(error);
    });
    child.once('close', (code, signal) =>
      entryError === undefined ? resolve({ code, signal }) : reject(entryError as Error),
    );
  });
  // The caller handles a rejection only after it has closed the inherited descriptors. Until then, the rejection must not end the process.
  ended.catch(() => undefined);
  const pid = (): number | undefined => (gone ? undefined : child.pid);
  const isWrapped = command.inNamespace || command.isWrapped === true;
  const processes = async (): Promise<readonly number[]> => {
    const outer = pid();
    if (outer === undefined) return [];
    const inner = await descendants(outer);
    return isWrapped ? inner : [outer, ...inner];
  };
  const signal = async (name: NodeJS.Signals): Promise<void> => {
    for (let outer = pid(); outer !== undefined; outer = pid()) {
      const target = isWrapped ? (await descendants(outer))[0] : outer;
      if (gone) return;
      if (target !== undefined) return kill(target, name);
      await sleep(RETRY_MS);
    }
  };
  const enterAll = async (): Promise<void> => {
    const first = pid();
    if (first === undefined) return;
    try {
      await enter(first, () => descendants(first));
    } catch (error) {
      entryError = error;
      await signal('SIGKILL');
    }
  };
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  const beforeStart = async (): Promise<void> => {
    await enterAll();
    await waitForTurn(ended);
    if (!gone && entryError === undefined) start();
  };
  if (command.inNamespace) releaseWhenReady(child.stdio[READY_FD], child.stdio[GO_FD], beforeStart);
  else {
    void enterAll();
    if (!gone) start();
  }
  return { started, ended, pid, processes, terminate: () => signal('SIGTERM'), kill: () => signal('SIGKILL') };
}

/** The streams at `READY_FD`, `GO_FD` and `FILTER_FD`. */
const namespacePipes = ({ filter }: Command) => ['pipe', 'pipe', filter === undefined ? 'ignore' : 'pipe'] as const;

/** Sends the system call filter, which fits into the buffer of the pipe. If the service dies meanwhile, bwrap rejects a part of it. */
function sendFilter(pipe: unknown, filter: Uint8Array): void {
  if (!(pipe instanceof Duplex)) return;
  // If bwrap exits early, the pipe breaks, and its exit code says why.
  pipe.on('error', () => undefined);
  pipe.resume();
  pipe.end(filter);
}

/** Lets bwrap start the program when it is ready: the handshake that `inBubblewrap` in sandbox/confine.ts explains. */
function releaseWhenReady(ready: unknown, go: unknown, beforeStart: () => Promise<void>): void {
  if (!(ready instanceof Duplex) || !(go instanceof Duplex)) return;
  // If bwrap exits early, both pipes break, and its exit code says why.
  ready.on('error', () => undefined);
  go.on('error', () => undefined);
  go.resume();
  ready.once('close', () => void beforeStart().then(() => go.end('go')));
  ready.resume();
  ready.end();
}

/** Milliseconds between two searches for the child of the wrapper. Killing a wrapper before it has a child could orphan the child. */
const RETRY_MS = 2;

function forward(stream: Readable | null, listener: OutputListener): void {
  if (stream === null) return;
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => listener.push(chunk));
  stream.on('end', () => listener.end());
  // Ignore a broken pipe, which an exit of the process can cause: 'close' reports the exit.
  stream.on('error', () => undefined);
}

/** The time between two tries, in milliseconds: users other than root can change the niceness of a session only once in 100 ms. */
const PRIORITY_RETRY_MS = 100;

/**
 * Gives the session of the process `pid` the niceness of its processes. This is needed if the kernel schedules sessions as groups
 * (`/proc/sys/kernel/sched_autogroup_enabled`): the niceness of a process then counts only within its session. It has no effect in a cgroup
 * of the cpu controller.
 */
function lowerSessionPriority(pid: number, niceness: number): void {
  try {
    // Synchronous: the kernel takes microseconds, and the process may end soon.
    writeFileSync(`/proc/${pid}/autogroup`, `${niceness}`);
  } catch (error) {
    // Ignore other errors: the process has ended, or the kernel has no such groups.
    if (errnoOf(error) === 'EAGAIN') setTimeout(lowerSessionPriority, PRIORITY_RETRY_MS, pid, niceness).unref();
  }
}
