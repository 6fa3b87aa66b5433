import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { notOffered } from '@telecine/contract/domain/unsupported-tasks.ts';
import { listTools } from '../tools/all-tools.ts';

/** The error for an unknown tool. It names the tools that the caller may use. */
export function unknownTool(name: string, caller: Caller): ProtocolError {
  const names = listTools(caller).map((one) => one.name);
  const shown = JSON.stringify(name.slice(0, 64));
  const words = wordsOf(name);
  const missing = notOffered(words);
  const match = closestMatch(name, names);
  const near = match === undefined ? '' : `Did you mean ${match}? `;
  const conversion = names.includes('convert_media')
    ? ` convert_media does all conversions${names.includes('find_recipe') ? `: find_recipe with {"query": ${JSON.stringify(words)}} finds a recipe for it` : ''}.`
    : '';
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no tool ${shown}. ${missing ?? `${near}Use one of: ${names.join(', ')}.${conversion}`}`,
  );
}

/** `getVideo-info` → `get video info`. */
const wordsOf = (name: string): string =>
  name
    .slice(0, 64)
    .replaceAll(/(?<=[a-z])(?=[A-Z])|[-_.\s/]+/g, ' ')
    .trim()
    .toLowerCase();
