import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '@telecine/contract/domain/client.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { readCommand } from '@telecine/contract/domain/command-line.ts';
import { mayHoldSecrets } from '@telecine/contract/domain/secret-options.ts';
import { shellWord } from '@telecine/contract/domain/shell-text.ts';
import { notOffered } from '@telecine/contract/domain/synonyms/media-words.ts';
import { type HasTool, type ToolName, toolsOf } from '../tool-names.ts';
import { listTools } from '../tools/all-tools.ts';

/** Stands for any conversion: the hint names `find_recipe` and then `convert_media`. */
const CONVERSION = 'conversion';

type Meaning = readonly [words: RegExp, tool: ToolName | typeof CONVERSION];

/** What a name with one of these words means, also `create_share_link`, `revoke_share` and `list_shares`. */
const SHARES: Meaning = [/\b(?:un)?shar(?:e|es|ed|ing|eable)\b|\bpublic (?:link|url)\b/, 'share_files'];

/** Also `watch_directory` and `create_hot_folder`, but not `watch_job`. */
const WATCHES: Meaning = [
  /\bwatch(?:es|ed|er|ing)?\b(?!.*\b(?:jobs?|tasks?|progress|conversions?)\b)|\b(?:hot|drop) ?folders?\b/,
  'watch_folder',
];

/**
 * Rules by the object that a tool name mentions, which tells more than the spelling: `list_recipes` looks like
 * list_files but means find_recipe.
 */
const LISTS: readonly Meaning[] = [
  SHARES,
  WATCHES,
  [/\b(?:recipes?|presets?|templates?|help)\b/, 'find_recipe'],
  [/\b(?:(?:de|en)?coders|codecs|formats|filters|options|(?:de)?muxers|capabilit(?:y|ies))\b/, 'describe_capabilities'],
];

/** What tool names of other servers mean. The first row that matches applies. */
const MEANINGS: readonly Meaning[] = [
  SHARES,
  WATCHES,
  [/\b(?:upload|import)\b|\b(?:put|add) ?file\b/, 'create_upload_link'],
  [/\b(?:extract|create|generate|make) (?:[a-z]+ )?(?:metadata|info|streams)\b/, 'probe_media'],
  [/\b(?:extract|create|generate|make) (?:[a-z]+ )?previews?\b/, 'render_preview'],
  [/\b(?:strip|clear|delete|write|edit|update) (?:[a-z]+ )?(?:metadata|tags?)\b/, CONVERSION],
  // A name with one of these words means a conversion, such as `normalize_loudness`.
  [
    /\b(?:convert|transcode|encode|compress|normali[sz]e|reduce|increase|set|apply|extract|make|create|generate|add|remove|change|stop motion)\b/,
    CONVERSION,
  ],
  ...LISTS,
  [/\b(?:cancel|stop|abort|kill)\b/, 'cancel_job'],
  [/\b(?:wait|poll)\b/, 'wait_for_job'],
  [/\b(?:list|all|my) (?:jobs|tasks|conversions)\b|\b(?:history|queue)\b/, 'list_jobs'],
  [/\b(?:status|progress|results?|jobs?|tasks?|download|outputs?)\b/, 'get_job'],
  [/\b(?:probe|ffprobe|info|mediainfo|metadata|inspect|streams|duration)\b/, 'probe_media'],
  [/\b(?:analy[sz]e|measure|detect|loudness|quality|compare|vmaf)\b/, 'analyze_media'],
  [/\b(?:previews?|look|show|view|play)\b/, 'render_preview'],
  [/^(?:ls|dir)$|\b(?:list|browse|files|folders?)\b|\bfind\b.*\b(?:path|file)\b/, 'list_files'],
];

/** Tool names that are answered by a sentence, because the name of a tool is not enough. */
const SENTENCES: readonly (readonly [words: RegExp, hint: string])[] = [
  [
    /\b(?:retry|rerun|redo|resubmit|repeat|restart)\b/,
    'Call convert_media with the same arguments as before, and "y": "" in "parameters" if the output exists. get_job has them in "parameters".',
  ],
  [
    /\b(?:convert|transcode|encode|process|run) (?:each|all|many|multiple|several|folder|directory|files|batch)\b|\b(?:batch|bulk) (?:convert|conversion|transcode|encode|process|jobs?|submit)\b|\bsubmit batch\b/,
    'Call convert_media with "each": one pattern such as "wavs/*.wav", and "output": "mp3s/{name}.mp3". For files without a common pattern, call it once for each.',
  ],
];

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
 * The error for an unknown tool. It names the tool with the same purpose that the caller may use. For a command line,
 * it contains the whole call.
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
  const match = LISTS.some(([pattern]) => pattern.test(words)) ? undefined : closestMatch(name, names);
  const hint =
    match === undefined
      ? (meaningOf(words, toolsOf(caller)) ?? `Use one of: ${names.join(', ')}.`)
      : `Did you mean ${match}?`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${shown}. ${hint}`);
}

/** `getVideo-info` → `get video info`. */
const wordsOf = (name: string): string =>
  name
    .slice(0, 64)
    .replaceAll(/(?<=[a-z])(?=[A-Z])|[-_.\s/]+/g, ' ')
    .trim()
    .toLowerCase();

function meaningOf(words: string, has: HasTool): string | undefined {
  const missing = notOffered(words);
  if (missing !== undefined) return missing;
  const whole = SENTENCES.find(([pattern]) => pattern.test(words))?.[1];
  if (whole !== undefined && has('convert_media')) return whole;
  const tool = MEANINGS.find(([pattern]) => pattern.test(words))?.[1] ?? CONVERSION;
  if (tool !== CONVERSION) return has(tool) ? `Call ${tool}.` : undefined;
  if (!has('convert_media')) return undefined;
  if (
    /^(?:run |execute? |exec )?(?:ffmpeg|shell|bash|command|cmd|cli|terminal)(?: (?:command|cmd|run|exec|execute))?$/.test(
      words,
    )
  )
    return 'Call convert_media with "input", "output" and the options in "parameters": {"vf": "scale=640:-2"}. No tool takes a command line.';
  const find = has('find_recipe')
    ? `Call find_recipe with {"query": ${JSON.stringify(words)}}, then convert_media`
    : 'Call convert_media';
  return `${find}, which does all conversions.`;
}
