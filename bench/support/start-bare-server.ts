import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithTests } from '../../test/support/end-with-tests.ts';

interface StartedServer {
  readonly child: ChildProcess;
  readonly address: string;
}

export const startBareServer = (message = '', padding = ''): Promise<StartedServer> =>
  start('bare-server.ts', [message, padding]);

/** Starts durable-server.ts, with its database in `folder`. */
export const startDurableServer = (message: string, padding: string, folder: string): Promise<StartedServer> =>
  start('durable-server.ts', [message, padding, folder]);

/** Starts durable-postgres-server.ts on an empty database. */
export const startDurablePostgresServer = (message: string, database: string): Promise<StartedServer> =>
  start('durable-postgres-server.ts', [message, database]);

/** Starts a server in a session of its own, as `startBenchService` does. */
async function start(file: string, args: readonly string[]): Promise<StartedServer> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  endWithTests(child);
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, address };
}
