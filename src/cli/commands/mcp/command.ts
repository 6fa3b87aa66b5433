import type { Command } from 'commander';
import { addUrlOption } from '../../session/command-options.ts';
import type { McpFlags } from '../../session/flags.ts';

/** Adds `telecine mcp` to the program. */
export function addMcpCommand(program: Command): void {
  const mcp = program
    .command('mcp')
    .description('MCP server on standard input and output, for MCP clients that start a command')
    .action(async (flags: McpFlags) => (await import('./run.ts')).mcpCommand(flags));
  addUrlOption(mcp);
}
