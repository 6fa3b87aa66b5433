import type { Command } from 'commander';
import { addServiceOptions } from '../../session/command-options.ts';
import type { UsageFlags } from './run.ts';

/** Adds `telecine usage` to the program. */
export function addUsageCommand(program: Command): void {
  addServiceOptions(program.command('usage').description('show what a client uses of its quotas'))
    .option('--client <name>', 'another client (needs the scope admin)')
    .action(async (flags: UsageFlags) => (await import('./run.ts')).runUsage(flags));
}
