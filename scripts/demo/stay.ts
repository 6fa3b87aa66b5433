import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildConsole } from '../build-console.ts';
import { startService } from '../lib/service.ts';
import type { Say } from '../setup/say.ts';
import type { Tools } from '../setup/tools.ts';
import { toolSettings } from './run.ts';
import { bold, dim } from './styled-text.ts';

const CONSOLE = resolve(import.meta.dirname, '../../dist/console');

/**
 * Starts the service again on the folders of the demo and prints a link that signs in to its console. Builds the console first if
 * nobody has. Resolves when `signal` is aborted and the service is stopped.
 */
export async function stay(folder: string, tools: Tools, say: Say, signal: AbortSignal): Promise<void> {
  if (!existsSync(join(CONSOLE, 'index.html'))) {
    say(dim('\nBuilding the console…'));
    await buildConsole(CONSOLE);
  }
  signal.throwIfAborted();
  const { promise: link, resolve: found } = Promise.withResolvers<string>();
  const service = await startService({
    dataDir: join(folder, 'data'),
    mediaRoot: join(folder, 'media'),
    env: { ...toolSettings(tools), TELECINE_DRAIN_SECONDS: '0' },
    args: ['--sign-in-link'],
    onLine: (line) => {
      if (line.includes('/#sign-in=')) found(line.trim());
    },
  });
  try {
    say(`\n${bold('The console.')} This link signs in once, within five minutes:\n\n${await link}\n`);
    say(dim('The service runs until you press Ctrl-C.'));
    if (!signal.aborted) await Promise.race([once(signal, 'abort'), service.exited]);
  } finally {
    await service.stop();
  }
}
