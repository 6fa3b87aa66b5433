import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The program that runs the sources of this repository. */
const ENTRY = resolve(import.meta.dirname, '../../bin/telecine.js');

/** A built Telecine. */
export interface Program {
  /** The path of its bin/telecine.js. */
  readonly entry: string;
  /** The folder of Node's compile cache. */
  readonly compileCache: string;
}

interface ServiceOptions {
  readonly dataDir: string;
  readonly mediaRoot: string;
  /** By default the sources of this tree. */
  readonly program?: Program | undefined;
  /** Environment variables of the service. They override all others. */
  readonly env?: Readonly<Record<string, string>>;
  /** `serve` (the default) or `worker`. */
  readonly command?: 'serve' | 'worker';
  /** Arguments after the command. */
  readonly args?: readonly string[];
  /** The program that runs the service, with its first arguments: to change the user or the mounts. */
  readonly launcher?: readonly string[];
  /** The Node binary that starts the service. By default the current one. */
  readonly node?: string;
  /** Options of Node itself. */
  readonly nodeArgs?: readonly string[];
  /** Opens a channel for messages between the service and this process. */
  readonly ipc?: boolean;
  /** Starts the service in its own process group, so that the whole group can be killed. */
  readonly ownGroup?: boolean;
  /** Wait until it answers requests, or (the default) until it has found ffmpeg and runs jobs. */
  readonly until?: 'listening' | 'started';
  /** Called with each line that the service writes. */
  readonly onLine?: (line: string) => void;
  /** Called with the process at once, so that a test can kill the service while it starts. */
  readonly onSpawn?: (child: ChildProcess) => void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** The log so far. */
  log(): string;
  /** Resolves when the process has ended, for any reason. */
  readonly exited: Promise<Exit>;
  /** Sends SIGTERM and waits for the exit. Sends SIGKILL after `graceMs` (default 30 s). */
  stop(graceMs?: number): Promise<Exit>;
}

const START_SECONDS = 60;

/** Starts `telecine serve` or `telecine worker` on a free loopback port. Resolves when its log says that it has started. */
export async function startService(options: ServiceOptions): Promise<ServiceProcess> {
  // The service does not create a media root that a setting names, so create it here.
  if (!existsSync(options.mediaRoot)) mkdirSync(options.mediaRoot, { recursive: true });
  const [file = process.execPath, ...args] = [
    ...(options.launcher ?? []),
    ...[options.node ?? process.execPath, ...(options.nodeArgs ?? [])],
    ...[options.program?.entry ?? ENTRY, options.command ?? 'serve'],
    ...(options.args ?? []),
  ];
  const child = spawn(file, args, {
    env: environment(options),
    stdio: ['ignore', 'pipe', 'pipe', ...(options.ipc === true ? ['ipc'] : [])] as ['ignore', 'pipe', 'pipe'],
    detached: options.ownGroup ?? false,
  });
  options.onSpawn?.(child);
  const lines: string[] = [];
  const log = () => lines.join('\n');
  const exited = new Promise<Exit>((done) => child.once('exit', (code, signal) => done({ code, signal })));
  const until = options.until ?? 'started';
  let address: string | undefined;
  const url = await new Promise<string>((done, fail) => {
    const give = (why: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      fail(new Error(`${why}. Its log:\n${log()}`));
    };
    const timer = setTimeout(() => give(`The service did not start within ${START_SECONDS} s`), START_SECONDS * 1000);
    child.once('error', (error) => give(`The service could not be started: ${error.message}`));
    child.once('close', (code, signal) => give(`The service ended while starting (${signal ?? code})`));
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        options.onLine?.(line);
        const { msg, url } = readLine(line);
        if (msg === 'listening') address = url;
        if (msg !== until || address === undefined) return;
        clearTimeout(timer);
        done(address);
      });
  });
  return { url, pid: child.pid ?? 0, child, log, exited, stop: (graceMs) => stop(child, exited, graceMs) };
}

function environment({ dataDir, mediaRoot, program, env }: ServiceOptions): NodeJS.ProcessEnv {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('TELECINE_') && name !== 'PORT');
  return {
    ...Object.fromEntries(outer),
    ...(program && { NODE_COMPILE_CACHE: program.compileCache }),
    TELECINE_HOST: '127.0.0.1',
    TELECINE_PORT: '0',
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: mediaRoot,
    // With the default niceness, conversions would wait for the other programs of the tests.
    TELECINE_NICENESS: '0',
    ...env,
  };
}

/** The fields of a log line that matter here. Lines of other programs have none. */
function readLine(line: string): { readonly msg?: string; readonly url?: string } {
  return line.startsWith('{') ? (JSON.parse(line) as { msg?: string; url?: string }) : {};
}

async function stop(child: ChildProcess, exited: Promise<Exit>, graceMs = 30_000): Promise<Exit> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  try {
    return await exited;
  } finally {
    clearTimeout(timer);
  }
}
