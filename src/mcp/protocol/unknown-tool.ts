import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '../../domain/client.ts';
import { closestMatch } from '../../domain/closest-match.ts';
import { notOffered } from '../../domain/synonyms/not-offered.ts';
import { type HasTool, type ToolName, toolsOf } from '../tool-names.ts';
import { listTools } from '../tools/all-tools.ts';

type Meaning = readonly [words: RegExp, tool: ToolName];

/** What a name lists counts more than its spelling: `list_recipes` is close to list_files. */
const LISTS: readonly Meaning[] = [
  [/recipe|preset|template|help/, 'find_recipe'],
  [/codecs|formats|filters|options|coders|muxers|capabilit/, 'describe_capabilities'],
];

/** What names of tools of other servers mean. Of several rows, the first counts. */
const MEANINGS: readonly Meaning[] = [
  ...LISTS,
  [/upload|put_?file|add_?file|import/, 'create_upload_link'],
  [/cancel|stop|abort|kill/, 'cancel_job'],
  [/wait|poll/, 'wait_for_job'],
  [/(?:list|all|my)_?(?:jobs|tasks|conversions)|history|queue/, 'list_jobs'],
  [/status|progress|result|job|task|download|output/, 'get_job'],
  [/probe|info|metadata|inspect|streams|duration/, 'probe_media'],
  [/analy[sz]e|measure|detect|loudness|quality|compare|vmaf/, 'analyze_media'],
  [/preview|look|show|view|play/, 'render_preview'],
  [/^ls$|^dir$|list|browse|files|folder|find.*(?:path|file)/, 'list_files'],
];

/** The error for a tool that does not exist. It names the tool that is meant, of those that the caller has. */
export function unknownTool(name: string, caller: Caller): ProtocolError {
  const names = listTools(caller).map((one) => one.name);
  const shown = JSON.stringify(name.slice(0, 64));
  const isList = LISTS.some(([words]) => words.test(name.slice(0, 64).toLowerCase()));
  const match = isList ? undefined : closestMatch(name, names);
  const hint =
    match === undefined
      ? (meaningOf(name, toolsOf(caller)) ?? `Use one of: ${names.join(', ')}.`)
      : `Did you mean ${match}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shown}. ${hint}`);
}

function meaningOf(name: string, has: HasTool): string | undefined {
  const words = name
    .replaceAll(/(?<=[a-z])(?=[A-Z])|[-_.\s/]+/g, ' ')
    .trim()
    .toLowerCase()
    .slice(0, 64);
  const missing = notOffered(words);
  if (missing !== undefined) return missing;
  const joined = words.replaceAll(' ', '_');
  const [, tool] = MEANINGS.find(([pattern]) => pattern.test(joined)) ?? [];
  if (tool !== undefined) return has(tool) ? `Call ${tool}.` : undefined;
  if (!has('convert_media')) return undefined;
  const find = has('find_recipe')
    ? `Call find_recipe with {"query": ${JSON.stringify(words)}}, then convert_media`
    : 'Call convert_media';
  return `${find}, which does all conversions.`;
}
