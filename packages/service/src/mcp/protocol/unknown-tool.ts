import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { listTools } from '../tools/all-tools.ts';

/** The error for an unknown tool. It names the tools that the caller may use. */
export function unknownTool(name: string, caller: Caller): ProtocolError {
  const names = listTools(caller).map((one) => one.name);
  const shown = JSON.stringify(name.slice(0, 64));
  const match = closestMatch(name, names);
  const near = match === undefined ? '' : `Did you mean ${match}? `;
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${shown}. ${near}Use one of: ${names.join(', ')}.`,
  );
}
