import { type ChildProcess, spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PROGRAM = resolve(import.meta.dirname, '../../bin/telecine.js');

export interface ServiceOptions {
  readonly dataDir: string;
  readonly mediaRoot: string;
  /** Settings of the service; they win over the rest. */
  readonly env?: Readonly<Record<string, string>>;
  /** After `serve`. */
  readonly args?: readonly string[];
  /** Puts it into a process group of its own, so that the whole group can be killed. */
  readonly ownGroup?: boolean;
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

/** Starts `telecine serve` on a free loopback port; resolves when it says that it listens. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...(options.args ?? [])], {
    env: environment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: options.ownGroup ?? false,
  });
  const lines: string[] = [];
  const log = () => lines.join('\n');
  const exited = new Promise<Exit>((done) => child.once('exit', (code, signal) => done({ code, signal })));
  const url = await new Promise<string>((done, fail) => {
    const give = (why: string) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      fail(new Error(`${why}. Its log:\n${log()}`));
    };
    const timer = setTimeout(() => give(`The service did not listen within ${START_SECONDS} s`), START_SECONDS * 1000);
    child.once('error', (error) => give(`The service could not be started: ${error.message}`));
    child.once('close', (code, signal) => give(`The service ended while starting (${signal ?? code})`));
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        const address = listening(line);
        if (address === undefined) return;
        clearTimeout(timer);
        done(address);
      });
  });
  return { url, pid: child.pid ?? 0, child, log, exited, stop: (graceMs) => stop(child, exited, graceMs) };
}

function environment({ dataDir, mediaRoot, env }: ServiceOptions): NodeJS.ProcessEnv {
  const outer = Object.entries(process.env).filter(([name]) => !name.startsWith('TELECINE_') && name !== 'PORT');
  return {
    ...Object.fromEntries(outer),
    TELECINE_HOST: '127.0.0.1',
    TELECINE_PORT: '0',
    TELECINE_DATA_DIR: dataDir,
    TELECINE_MEDIA_ROOT: mediaRoot,
    ...env,
  };
}

/** The address that a log line tells, if it is the line that tells it. */
function listening(line: string): string | undefined {
  if (!line.startsWith('{')) return undefined;
  const entry = JSON.parse(line) as { msg?: unknown; url?: unknown };
  return entry.msg === 'listening' && typeof entry.url === 'string' ? entry.url : undefined;
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
