import type { NodeClient } from '../../client/node/node-client.ts';
import { connect } from './credentials.ts';
import type { JobsFlags } from './flags.ts';
import { runCommand } from './run-command.ts';

/** Calls the service and prints the result as JSON or as the lines of `show`. */
export const printResult = <T>(
  flags: JobsFlags,
  ask: (client: NodeClient, signal: AbortSignal) => Promise<T>,
  show: (value: T) => readonly string[],
): Promise<void> =>
  runCommand(flags, async (signal) => {
    const value = await ask(connect(flags.url), signal);
    if (flags.json) console.log(JSON.stringify(value));
    else for (const line of show(value)) console.log(line);
  });
