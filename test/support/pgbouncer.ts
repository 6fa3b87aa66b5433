import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { accountOf, type PostgresServer } from './postgres.ts';
import { waitUntil } from './wait.ts';

/** A PgBouncer in front of a server, on a loopback port. */
export interface PgBouncer {
  /** The URL of a database of the server, through PgBouncer. */
  url(database: string): string;
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode: each transaction may use another connection of the server. Its settings are those
 * that docs/operate/postgresql.md tells.
 */
export async function startPgBouncer(folder: string, { port: serverPort }: PostgresServer): Promise<PgBouncer> {
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  await chmod(folder, 0o755);
  await writeFile(users, '"telecine" ""\n');
  await writeFile(
    config,
    `[databases]
* = host=127.0.0.1 port=${serverPort} user=telecine
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 5
ignore_startup_parameters = extra_float_digits, statement_timeout, idle_in_transaction_session_timeout
`,
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
  const child: ChildProcess = spawn('pgbouncer', ['--quiet', config], { ...user, cwd: '/', stdio: 'ignore' });
  await waitUntil('PgBouncer', () => reaches(port));
  return {
    url: (database) => `postgres://telecine@127.0.0.1:${port}/${database}`,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function reaches(port: number): Promise<true | undefined> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
