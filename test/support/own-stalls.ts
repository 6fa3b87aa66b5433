import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { testFolder } from './folders.ts';
import { startServer, type TestServer, type TestServerOptions } from './server.ts';

const PRELOAD = resolve(import.meta.dirname, '../fixtures/own-stalls.mjs');

export interface OwnStalls {
  /** The most processor time of single turns of the event loop in ms, the longest first. Other programs of the machine do not count. */
  readonly longest: readonly number[];
  /** The most memory that the process had, in bytes. */
  readonly rss: number;
}

/** Starts a server whose event loop is measured after its start. */
export async function startMeasured(
  options: TestServerOptions = {},
  nodeOptions = '',
): Promise<{ readonly server: TestServer; readonly stalls: () => Promise<OwnStalls> }> {
  const file = join(await testFolder('stalls'), 'stalls.json');
  const server = await startServer({
    ...options,
    env: { ...options.env, NODE_OPTIONS: `--import=${PRELOAD} ${nodeOptions}`, TEST_OWN_STALLS_FILE: file },
  });
  server.child.kill('SIGUSR2');
  return { server, stalls: async () => JSON.parse(await readFile(file, 'utf8')) as OwnStalls };
}
