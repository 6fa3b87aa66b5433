import type { NodeClient } from '@telecine/client/node/node-client.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { Command } from 'commander';
import { addServiceOptions } from './command-options.ts';
import { connect } from './credentials.ts';
import { type RunCommandOptions, runCommand } from './run-command.ts';

/** The options of all commands that call a service, as commander passes them. */
export interface ServiceFlags extends RunCommandOptions {
  readonly url?: string;
}

export interface Call<F> {
  readonly client: NodeClient;
  readonly signal: AbortSignal;
  readonly flags: F;
}

/** Prints what `ask` returns as JSON, or as the lines of `show` with control characters removed. */
export const printResult = <T>(
  flags: ServiceFlags,
  ask: (signal: AbortSignal) => Promise<T>,
  show: (value: T) => readonly string[],
): Promise<void> =>
  runCommand(flags, async (signal) => {
    const value = await ask(signal);
    if (flags.json) console.log(JSON.stringify(value));
    else for (const line of show(value)) console.log(plainText(line));
  });

/**
 * Makes a command a verb that does more than call one operation. The verb gets a client of the service. Returns the command, so that
 * options can be added.
 */
export const addVerb = <T, F extends ServiceFlags = ServiceFlags>(
  command: Command,
  about: string,
  ask: (call: Call<F>, ...args: string[]) => Promise<T>,
  show: (value: T) => readonly string[],
): Command =>
  addServiceOptions(command.description(about)).action(async (...given: unknown[]) => {
    // The words of a repeatable argument come as a list.
    const args = given.slice(0, -2).flat() as string[];
    const flags = given.at(-2) as F;
    await printResult(flags, (signal) => ask({ client: connect(flags.url), signal, flags }, ...args), show);
  });
