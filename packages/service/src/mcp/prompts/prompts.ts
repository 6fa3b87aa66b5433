import { type GetPromptResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { allows, type Caller } from '@telecine/contract/domain/client.ts';
import { closestMatch } from '@telecine/contract/domain/closest-match.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';
import type { McpRequest } from '@telecine/contract/wire/mcp-endpoint.ts';
import type { McpDeps } from '../deps.ts';
import { type HasTool, toolsOf } from '../tool-names.ts';

/** Returns the possible values of an argument that begin with `value`. */
export type Complete = (
  value: string,
  deps: McpDeps,
  call: McpRequest,
) => Promise<readonly string[]> | readonly string[];

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly complete: Complete;
  /** Reads a text of the user, such as `10 MB`. Returns undefined if the prompt cannot use it. */
  readonly read?: (value: string) => number | string | undefined;
  /** What `read` accepts, for error messages. Default: a number. */
  readonly wanted?: string;
}

/** A prompt: a prepared task for a model, which a user starts with a few arguments. */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** Returns the text for the model. It names only tools that the caller may use. A missing argument is ''. */
  text(args: Readonly<Record<string, string>>, has: HasTool): string;
}

const numbered = (...steps: readonly string[]): string =>
  steps
    .filter((step) => step !== '')
    .map((step, i) => `${i + 1}. ${step}`)
    .join('\n');

/** Completes an argument to one of these words. */
export const completeChoice =
  (...words: readonly string[]): Complete =>
  (value) =>
    words.filter((word) => word.startsWith(value.toLowerCase()));

/** Returns the `read` of an output path: the extension must be in the list, or absent. */
const pathEnding =
  (...ends: readonly string[]) =>
  (path: string): string | undefined => {
    const end = /\.(\w{1,5})$/.exec(path)?.[1]?.toLowerCase();
    return end === undefined || ends.includes(end) ? path : undefined;
  };

/** The step that converts with a recipe. */
const convertBy = (name: string, own?: Readonly<Record<string, number>>): string =>
  `Call convert_media with "preset": ${JSON.stringify({ name, ...(own && { arguments: own }) })}.`;

/** The last step, which tells the user `facts`. A caller who may not read jobs knows only the job id. */
const tellResult = (facts: string, has: HasTool): string =>
  has('wait_for_job')
    ? `Call wait_for_job until it is COMPLETED, and tell me ${facts} and the link.`
    : 'Tell me the jobId. You may not read jobs, so you cannot wait for the end.';

const MAX_PATHS = 50;

/** Completes a path in the media root. Returns no paths if the caller may not list files. */
const completeFile: Complete = async (value, { files }, { caller }) => {
  if (!allows(caller, 'files:read')) return [];
  try {
    const { entries } = await files.list(caller, { prefix: value, limit: MAX_PATHS });
    return entries.map(({ path }) => path);
  } catch (error) {
    // Ignore errors: while the text is typed, it may not be a valid path yet.
    if (error instanceof Problem && error.code !== 'INTERNAL') return [];
    throw error;
  }
};

const convertForWeb: Prompt = {
  name: 'convert_for_web',
  title: 'Convert a video for the web',
  description: 'Creates an MP4 that plays in every browser, and starts before it is fully loaded.',
  arguments: [
    { name: 'input', description: 'Path of the video.', required: true, complete: completeFile },
    {
      name: 'output',
      description: 'Path of the new MP4.',
      required: false,
      complete: completeFile,
      read: pathEnding('mp4', 'm4v', 'mov'),
      wanted: 'a path that ends with .mp4 (for WebM, ask for the recipe "web-vp9")',
    },
    {
      name: 'height',
      description: 'Maximum height in pixels. Default: 1080.',
      required: false,
      complete: completeChoice('360', '480', '720', '1080', '1440', '2160'),
      read: (text) => Number(/^(?:\d{2,5}\s*[x×]\s*)?(\d{2,4})\s*(?:p|px|pixels)?$/i.exec(text)?.[1]) || undefined,
    },
  ],
  text: ({ input, output, height }, has) => `Convert the file ${JSON.stringify(input)} into an MP4 for the web${
    output === '' ? ', next to it, with a matching name' : `, as ${JSON.stringify(output)}`
  }.
${numbered(convertBy('web-h264', { height: Number(height || 1080) }), tellResult('the size, the duration', has))}`,
};

/** Reads megabytes from `10`, `10 MB` or `0.5 GB`. */
function megabytesIn(text: string): number | undefined {
  const [, number = '', unit = 'MB'] = /^(\d{1,9}(?:\.\d{1,3})?)\s*(kB|MB|GB)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(number) * ({ KB: 1e3, GB: 1e9 }[unit.toUpperCase()] ?? 1e6);
  return bytes > 0 ? bytes / 1e6 : undefined;
}

const shrinkToSize: Prompt = {
  name: 'shrink_to_size',
  title: 'Shrink a video to a size',
  description: 'Creates a video of at most the given size, in the best quality that fits.',
  arguments: [
    { name: 'input', description: 'Path of the video.', required: true, complete: completeFile },
    {
      name: 'megabytes',
      description: 'Maximum size of the new video in megabytes.',
      required: true,
      complete: completeChoice('8', '10', '16', '25', '50', '100'),
      read: megabytesIn,
    },
    {
      name: 'output',
      description: 'Path of the new MP4.',
      required: false,
      complete: completeFile,
      read: pathEnding('mp4', 'm4v', 'mov'),
      wanted: 'a path that ends with .mp4',
    },
  ],
  text: (
    { input, megabytes = '', output },
    has,
  ) => `Convert the file ${JSON.stringify(input)} to a video of at most ${megabytes} megabytes${
    output === '' ? ', next to it, with a matching name' : `, as ${JSON.stringify(output)}`
  }.
${numbered(convertBy('target-size', { size: Number(megabytes) }), tellResult('the size', has))}`,
};

/** Formats with a recipe of the same name. */
const RECIPES: readonly string[] = ['mp3', 'm4a', 'flac', 'wav'];

/** The ffmpeg options for formats that have no recipe. */
const OPTIONS: Readonly<Record<string, string>> = {
  ogg: '"c:a": "libvorbis", "q:a": "5"',
  opus: '"c:a": "libopus", "b:a": "128k"',
};

/** Other audio formats. ffmpeg chooses their encoder by the extension of the output. */
const OTHERS: readonly string[] = ['aac', 'm4b', 'mka', 'ac3', 'aiff'];

/** Finds the format in a text such as ".mp3" or "m4b audio book". Returns undefined if it has none or several. */
function formatIn(text: string): string | undefined {
  const known = new Set([...RECIPES, ...Object.keys(OPTIONS), ...OTHERS]);
  const [format, ...others] = text
    .toLowerCase()
    .split(/\W+/)
    .filter((word) => known.has(word));
  return others.length === 0 ? format : undefined;
}

/**
 * The step that converts to a format. For an unknown format, ffmpeg chooses the codec by the extension of the output.
 */
function conversionTo(format: string): string {
  if (RECIPES.includes(format)) return convertBy(format);
  const codec = Object.hasOwn(OPTIONS, format) ? `, ${OPTIONS[format]}` : '';
  return `Call convert_media with "parameters": {"vn": "", "map": "0:a:0"${codec}}, and a file name that ends in .${format}.`;
}

const extractAudio: Prompt = {
  name: 'extract_audio',
  title: 'Extract the audio of a video',
  description: 'Creates an audio file from a video, in the format of your choice.',
  arguments: [
    { name: 'input', description: 'Path of the file.', required: true, complete: completeFile },
    {
      name: 'format',
      description: 'Audio format. Default: mp3.',
      required: false,
      complete: completeChoice(...RECIPES, ...Object.keys(OPTIONS)),
      read: formatIn,
      wanted: `one of ${[...RECIPES, ...Object.keys(OPTIONS), ...OTHERS].join(', ')}`,
    },
    { name: 'output', description: 'Path of the new file.', required: false, complete: completeFile },
    {
      name: 'language',
      description: 'Language of the audio, such as "deu". Default: you are asked if there are several.',
      required: false,
      complete: completeChoice('deu', 'eng', 'fra', 'ita', 'jpn', 'spa'),
    },
  ],
  text: (
    { input, format, output, language },
    has,
  ) => `Extract the audio${language && ` in the language ${JSON.stringify(language)}`} of the file ${JSON.stringify(input)}, as ${format || 'mp3'}${
    output === '' ? ', next to it' : `, into ${JSON.stringify(output)}`
  }.
${numbered(
  has('probe_media')
    ? `Call probe_media to see its audio streams. If there are several, ${
        language === '' ? 'ask me which one' : 'take the one in that language'
      }, and add "map": "0:a:1" to "parameters" for the second.`
    : '',
  conversionTo(format || 'mp3'),
  tellResult('the duration', has),
)}`,
};

const PROMPTS: readonly Prompt[] = [convertForWeb, shrinkToSize, extractAudio];

const MAX_ARGUMENT_LENGTH = 1000;

/** Lists the prompts of a caller. All of them need convert_media. */
export const listPrompts = (caller: Caller) => (toolsOf(caller)('convert_media') ? LISTED : []);

const LISTED = PROMPTS.map(({ name, title, description, arguments: args }) => ({
  name,
  title,
  description,
  arguments: args.map((one) => ({ name: one.name, description: one.description, required: one.required })),
}));

/** Finds a prompt. Throws InvalidParams, which suggests the most similar name. */
export function findPrompt(name: string): Prompt {
  const found = PROMPTS.find((one) => one.name === name);
  if (found !== undefined) return found;
  const names = PROMPTS.map((one) => one.name);
  const match = closestMatch(name, names);
  throw invalid(
    `There is no prompt "${name.slice(0, 64)}". ${match === undefined ? `Use one of: ${names.join(', ')}.` : `Did you mean ${match}?`}`,
  );
}

export function getPrompt(
  caller: Caller,
  name: string,
  values: Readonly<Record<string, string>> = {},
): GetPromptResult {
  const prompt = findPrompt(name);
  const names = prompt.arguments.map((argument) => argument.name);
  const unknown = Object.keys(values).filter((one) => !names.includes(one));
  const errors = unknown.slice(0, MAX_UNKNOWN).map((one) => {
    const near = closestMatch(one, names);
    const fix = near === undefined ? `Use ${names.join(', ')}.` : `Did you mean ${near}?`;
    return `The prompt ${name} has no argument ${JSON.stringify(one.slice(0, 64))}. ${fix}`;
  });
  const entries = prompt.arguments.map((argument) => {
    const value = plainText(values[argument.name] ?? '').trim();
    const read = value === '' ? undefined : argument.read?.(value);
    const error = errorOf(prompt, argument, value, read);
    if (error !== undefined) errors.push(error);
    return [argument.name, read === undefined ? value : String(read)] as const;
  });
  if (errors.length > 0) throw invalid(errors.join(' '));
  const text = prompt.text(Object.fromEntries(entries), toolsOf(caller));
  return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

/** The maximum number of unknown arguments that an error names. */
const MAX_UNKNOWN = 5;

/**
 * Returns the error of the value of an argument. `value`: '' if the argument is absent. `meant`: the result of `read`.
 */
function errorOf(
  { name: prompt }: Prompt,
  { name, description, required, read, wanted = 'a number' }: PromptArgument,
  value: string,
  meant: number | string | undefined,
): string | undefined {
  if (required && value === '') return `The prompt ${prompt} needs the argument "${name}": ${description}`;
  if (value.length > MAX_ARGUMENT_LENGTH)
    return `The argument "${name}" is longer than ${MAX_ARGUMENT_LENGTH} characters.`;
  return value !== '' && read !== undefined && meant === undefined
    ? `The argument "${name}" must be ${wanted}, not ${JSON.stringify(value.slice(0, 64))}: ${description}`
    : undefined;
}

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
