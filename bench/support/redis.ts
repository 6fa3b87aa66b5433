import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { endWithTests } from '../../test/support/end-with-tests.ts';
import { freePort } from '../../test/support/free-port.ts';

/** A Redis that confirms a write only when it is on disk, like the databases that it is compared with. */
export async function startRedis(folder: string): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const port = await freePort();
  const child = spawn(
    'redis-server',
    [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
      ...['--appendonly', 'yes', '--appendfsync', 'always'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  endWithTests(child);
  child.once('error', () => {
    console.error('There is no redis-server. Install it: apt-get install redis-server');
    process.exit(2);
  });
  for await (const line of createInterface({ input: child.stdout })) {
    if (!line.includes('Ready to accept connections')) continue;
    // Later lines are dropped, so that the pipe does not fill up.
    child.stdout.resume();
    return {
      port,
      stop: async () => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      },
    };
  }
  throw new Error('Redis did not start.');
}
