import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { readCommand } from '@telecine/contract/domain/command-line.ts';
import { mayHoldSecrets } from '@telecine/contract/domain/secret-options.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { notOffered } from '@telecine/contract/domain/synonyms/media-words.ts';
import { listTools } from '../tools/all-tools.ts';

/** The maximum length of a call that an answer shows, in characters. */
const MAX_CALL = 1500;

/** How many arguments may be read as command lines, and how many words a list of words may have. */
const MAX_COMMANDS = 8;
const MAX_WORDS = 500;

/** Reads an argument as a command line. It can be a text or a list of words. */
function commandOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const words: readonly unknown[] = Array.isArray(value) && value.length <= MAX_WORDS ? value : [];
  return words.length > 0 && words.every((one) => typeof one === 'string') ? [words.map(shellWord).join(' ')] : [];
}

/**
 * If an argument of an unknown tool is a command line, converts it to a call of convert_media. undefined: there is no
 * command line.
 */
function meantCall(args: Readonly<Record<string, unknown>>): string | undefined {
  for (const text of Object.values(args).slice(0, MAX_COMMANDS).flatMap(commandOf)) {
    const request = readCommand(text);
    const call = request && JSON.stringify(request);
    if (call !== undefined && call.length <= MAX_CALL && !mayHoldSecrets(call)) return call;
  }
  return undefined;
}

/**
 * The error for an unknown tool. It names the tools that the caller may use. For a command line, it contains the whole
 * call.
 */
export function unknownTool(name: string, args: Readonly<Record<string, unknown>>, caller: Caller): ProtocolError {
  const names = listTools(caller).map((one) => one.name);
  const shown = JSON.stringify(name.slice(0, 64));
  const words = wordsOf(name);
  const call = names.includes('convert_media') ? meantCall(args) : undefined;
  if (call !== undefined)
    return new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `There is no tool ${shown}, and no tool takes a command line. Call convert_media with ${call}.`,
    );
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
