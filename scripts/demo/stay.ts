import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { secretCommand } from '../../packages/contract/src/domain/secret-command.ts';
import { buildConsole } from '../build-console.ts';
import { adminFile } from '../lib/api.ts';
import { sampleName } from '../lib/samples.ts';
import { startService } from '../lib/service.ts';
import type { Say } from '../setup/say.ts';
import type { Tools } from '../setup/tools.ts';
import { foldersIn, toolSettings } from './by-hand.ts';
import { SAMPLE_FOLDER } from './conversions.ts';
import { bold, dim } from './styled-text.ts';

const CONSOLE = resolve(import.meta.dirname, '../../dist/console');

/** The sign-in link to a page on which a sample is the source, and words for a recipe are written. */
export function firstPage(link: string): string {
  const url = new URL(link);
  url.searchParams.set('source', `${SAMPLE_FOLDER}/${sampleName('480p')}`);
  url.searchParams.set('find', 'animated gif of a scene');
  return url.href;
}

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
    ...foldersIn(folder),
    env: { ...toolSettings(tools), TELECINE_DRAIN_SECONDS: '0' },
    args: ['--sign-in-link'],
    onLine: (line) => {
      if (line.includes('/#sign-in=')) found(line.trim());
    },
  });
  try {
    say(`\n${bold('The console.')} This link signs in once, within five minutes:\n\n${firstPage(await link)}\n`);
    const secret = secretCommand({ path: adminFile(foldersIn(folder).dataDir), format: 'json' });
    say(`For commands that you copy there, first run this in another terminal:\n\n${secret}\n`);
    say(dim('The service runs until you press Ctrl-C.'));
    if (!signal.aborted) await Promise.race([once(signal, 'abort'), service.exited]);
  } finally {
    await service.stop();
  }
}
