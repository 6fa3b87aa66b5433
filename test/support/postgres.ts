import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { descendants } from '../../packages/ffmpeg/src/process/process-tree.ts';
import { postgresPrograms } from '../../scripts/setup/postgres.ts';
import { endWithTests } from './end-with-tests.ts';
import { freePort } from './free-port.ts';
import { waitUntil } from './wait.ts';

const run = promisify(execFile);

/** A PostgreSQL server of the tests, on a loopback port. */
export interface PostgresServer {
  readonly port: number;
  /** The URL of a database of the server. */
  url(database: string): string;
  /** Runs SQL in a database, by default in `postgres`. */
  sql(text: string, database?: string): Promise<void>;
  /** Stops the server as an operator does: sessions end at once, and nothing is lost. */
  stop(): Promise<void>;
  /** Ends the server without a checkpoint, as after a crash. */
  kill(): Promise<void>;
  /** Sends SIGKILL to all its processes. */
  kill9(): Promise<void>;
  /** Sends SIGSTOP or SIGCONT to all its processes. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
  /** Starts the server again, after `stop` or `kill`. */
  start(): Promise<void>;
  /** The log since the last start. */
  log(): string;
}

/** Makes a new cluster in `folder` and starts it. PostgreSQL refuses to run as root, so it then runs as `postgres`. */
export async function startPostgres(folder: string, { durable = false } = {}): Promise<PostgresServer> {
  const programs = postgresPrograms();
  if (programs === undefined) throw new Error('There is no PostgreSQL. Install it: apt-get install postgresql');
  const user = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
  const data = join(folder, 'data');
  await chmod(folder, 0o755);
  await mkdir(data);
  if (user !== undefined) await chown(data, user.uid, user.gid);
  await run(
    join(programs, 'initdb'),
    ['--pgdata', data, '--username=telecine', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, cwd: '/' },
  );
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const url = (database: string): string => `postgres://telecine@127.0.0.1:${port}/${database}`;
  let server: ReturnType<typeof spawn> | undefined;
  let log = '';

  const start = async (): Promise<void> => {
    const child = spawn(join(programs, 'postgres'), ['-D', data, ...options], { ...user, cwd: '/', stdio: 'pipe' });
    server = child;
    endWithTests(child);
    log = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (text) => {
        log += text;
        if (log.includes('ready to accept connections')) resolve();
      });
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`PostgreSQL ended:\n${log}`)));
    });
  };
  /** SIGINT ends all sessions at once; SIGQUIT ends the server without a checkpoint, as a crash does. */
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };
  await start();
  return {
    port,
    url,
    async sql(text, database = 'postgres') {
      const client = new Client({ connectionString: url(database) });
      await client.connect();
      try {
        await client.query(text);
      } finally {
        await client.end();
      }
    },
    stop: () => end('SIGINT'),
    kill: () => end('SIGQUIT'),
    async kill9() {
      if (server?.pid === undefined) return;
      const exited = once(server, 'exit');
      const sessions = await descendants(server.pid);
      for (const pid of [server.pid, ...sessions]) signalIfThere(pid, 'SIGKILL');
      await exited;
      // The server does not start while one of them is left.
      await waitUntil('the processes of PostgreSQL to end', async () => !sessions.some(isRunning) || undefined);
    },
    async signal(name) {
      if (server?.pid === undefined) return;
      // The server first, so that it starts no session meanwhile.
      signalIfThere(server.pid, name);
      for (const pid of await descendants(server.pid)) signalIfThere(pid, name);
    },
    start,
    log: () => log,
  };
}

function signalIfThere(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`);

/** The ids of a user of this machine. */
export async function accountOf(name: string): Promise<{ readonly uid: number; readonly gid: number }> {
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`There is no user ${name}.`);
  return { uid: Number(uid), gid: Number(gid) };
}
