import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminLogin } from '../../scripts/lib/api.ts';
import { endWithTests } from '../../test/support/end-with-tests.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/telecine.js');

/** The options and variables of node with which the image, the systemd units and `npm start` start the service. */
export const NODE_ARGS = ['--max-semi-space-size=16'];
export const NODE_ENV = { MALLOC_ARENA_MAX: '2' };

export interface BenchServiceOptions {
  /** The folder for `data/`, `media/` and the log. Existing contents are used. */
  readonly folder: string;
  /** Arguments after `serve`. */
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** The path of a built program. Default: the sources of this tree. */
  readonly program?: string;
  /** More options of node itself. */
  readonly nodeArgs?: readonly string[];
  /** What to wait for. Default: `ready`. Without a worker, a service on a new PostgreSQL is not ready. */
  readonly until?: 'ready' | 'listening';
}

/** A running service with the log in a file, as in production, but without limits. */
export interface BenchService {
  readonly url: string;
  readonly pid: number;
  /** The milliseconds from the start of the process to the first 200 of /ready. */
  readonly readyMs: number;
  readonly mediaRoot: string;
  /** A bearer token of the admin client. */
  readonly token: string;
  stop(): Promise<void>;
}

/** The interval of requests to /ready, which is the maximum error of `readyMs`. */
const LOOK_EVERY_MS = 2;
/** The time limit of a start. The first start queries ffmpeg some fifty times, which takes long on a busy machine. */
const PATIENCE_MS = 90_000;

export async function startBenchService(options: BenchServiceOptions): Promise<BenchService> {
  const { folder } = options;
  const [dataDir, mediaRoot, logFile] = ['data', 'media', 'service.log'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const dir of [dataDir, mediaRoot]) mkdirSync(dir, { recursive: true });
  const log = openSync(logFile, 'w');
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('TELECINE_') && name !== 'PORT');
  // Load Node's HTTP client now, so that this is not counted as a part of the start of the service.
  await fetch('data:,');
  const start = performance.now();
  const child = spawn(
    process.execPath,
    [...NODE_ARGS, ...(options.nodeArgs ?? []), options.program ?? PROGRAM, 'serve', ...(options.args ?? [])],
    {
      env: {
        ...Object.fromEntries(inherited),
        ...NODE_ENV,
        TELECINE_HOST: '127.0.0.1',
        TELECINE_PORT: '0',
        TELECINE_DATA_DIR: dataDir,
        TELECINE_MEDIA_ROOT: mediaRoot,
        TELECINE_CLIENT_LIMITS: 'requests=none,replies=none,submissions=none,pending=none',
        TELECINE_SERVICE_LIMITS: 'pending-in-all=none',
        ...options.env,
      },
      stdio: ['ignore', log, log],
      // Start the service in its own session, as users do. Linux distributes processor time between sessions.
      detached: true,
    },
  );
  closeSync(log);
  endWithTests(child);
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    const url = await firstReady(child, logFile, options.until === 'listening' ? 'health' : 'ready');
    const readyMs = performance.now() - start;
    const { accessToken } = await adminLogin(url, dataDir);
    return { url, pid: child.pid ?? 0, readyMs, mediaRoot, token: accessToken, stop };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

/** Returns the URL of the service once its /ready or /health replies 200. */
async function firstReady(child: ChildProcess, logFile: string, path: 'ready' | 'health'): Promise<string> {
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end; await sleep(LOOK_EVERY_MS)) {
    const url = /"url":"([^"]+)"/.exec(readFileSync(logFile, 'utf8'))?.[1];
    if (url !== undefined && (await answers(`${url}/${path}`))) return url;
    if (child.exitCode !== null) break;
  }
  throw new Error(`The service did not become ready. Its log:\n${readFileSync(logFile, 'utf8')}`);
}

/** Whether /ready replies 200. A service that fails to start closes its connections, which counts as no. */
const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );
