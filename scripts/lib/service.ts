import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** Of this source tree. */
const ENTRY = resolve(import.meta.dirname, '../../bin/telecine.js');

/** A Telecine that was built. */
export interface Program {
  /** Its bin/telecine.js. */
  readonly entry: string;
  /** Folder in which Node keeps what it compiled of it. */
  readonly compileCache: string;
}

interface ServiceOptions {
  readonly dataDir: string;
  readonly mediaRoot: string;
  /** By default the sources of this tree. */
  readonly program?: Program | undefined;
  /** Settings of the service; they win over the rest. */
  readonly env?: Readonly<Record<string, string>>;
  /** After `serve`. */
  readonly args?: readonly string[];
  /** A program and its first arguments, which is to run the service: as another user, or with other eyes. */
  readonly launcher?: readonly string[];
  /** The Node that its entry is started by; this one by default. */
  readonly node?: string;
  /** Puts it into a process group of its own, so that the whole group can be killed. */
  readonly ownGroup?: boolean;
  /** What to wait for: that it answers, or (the default) that it has found its ffmpeg and runs jobs too. */
  readonly until?: 'listening' | 'started';
  /** Called with the process as soon as there is one: for whoever wants to end it while it starts. */
  readonly onSpawn?: (child: ChildProcess) => void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A Telecine that runs as a process of its own and listens. */
export interface Service {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  /** All that it has logged so far. */
  log(): string;
  /** Resolves when the process is gone, whatever ended it. */
  readonly exited: Promise<Exit>;
  /** SIGTERM, and waits for the end; SIGKILL after `graceMs` (default 30 s). */
  stop(graceMs?: number): Promise<Exit>;
}

const START_SECONDS = 30;

/** Starts `telecine serve` on a free loopback port; resolves when its log says that it is there. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const [file = process.execPath, ...args] = [
    ...(options.launcher ?? []),
    ...[options.node ?? process.execPath, options.program?.entry ?? ENTRY, 'serve'],
    ...(options.args ?? []),
  ];
  const child = spawn(file, args, {
    env: environment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
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
    // Compiled code is shared, also with a service that gets a temporary folder of its own.
    NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache'),
    ...Object.fromEntries(outer),
    ...(program && { NODE_COMPILE_CACHE: program.compileCache }),
    TELECINE_HOST: '127.0.0.1',
    TELECINE_PORT: '0',
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: mediaRoot,
    ...env,
  };
}

/** The two fields of a log line that matter here. Other programs' lines have neither. */
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
