import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { endWithTests } from '../../test/support/end-with-tests.ts';

/** Starts bare-server.ts in a session of its own, as `startBenchService` does. */
export async function startBareServer(message = '', padding = ''): Promise<{ child: ChildProcess; address: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), message, padding], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  endWithTests(child);
  const [address] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, address };
}
