import type { ConversionRequest, InputSpec, OutputSpec } from './conversion.ts';
import {
  EACH,
  type EachError,
  type EachMaker,
  fillFileNames,
  outputPlaceholders,
  PLACEHOLDER,
  textErrors,
  unknownPlaceholders,
} from './each-placeholders.ts';
import { type Edits, leaveOut, sendMembers, sendValue, withMore } from './edit.ts';
import { nameOfEach } from './folder-output.ts';
import { pathsInText } from './foreign-path.ts';
import { baseName, folderOf, type MediaPath } from './media-path.ts';
import { FILE_NAME_OPTIONS } from './planned-names.ts';
import { IMAGES, literalStart, quoteWildcards, wildcard } from './wildcard.ts';

/* A request with `each` stands for one request per matching file. `{name}` and `{path}` stand for the name and path of the file. */

export interface EachRequest extends ConversionRequest {
  /** A pattern such as `wavs/*.wav`, or a folder with a slash at its end. */
  readonly each?: string;
  readonly name?: string;
}

/** The maximum number of folder entries that one batch reads. */
export const MAX_ENTRIES = 10_000;

/** Each folder counts as at least this many entries, because reading it takes time for all its names, also for names that do not match. */
export const MIN_ENTRIES = 250;

/** The pattern of `each` as the path of a file. A folder becomes the pattern for all its files. */
export const patternOf = (each: string): string => (each.endsWith('/') ? `${each}*` : each);

/** The errors in a request with `each` that can be found without reading folders. `maker`: what makes a job for each file. */
export function eachErrors(request: EachRequest, maker: EachMaker = EACH): readonly EachError[] {
  const { each = '', name, input, inputs, output, outputs, preset } = request;
  const files = /^(?:true|yes|on|all|\d+)$/i.test(each) ? eachOfInput(request) : undefined;
  if (files !== undefined) return [files];
  // Do not repeat a URL in a fix: it may contain a password. Do not split at spaces: `My.mp4 old.mp4` can be the name of one file.
  const listed = each.includes(':/') ? undefined : pathsInText(each, { blanks: false });
  if (listed !== undefined)
    return [
      {
        path: ['each'],
        code: 'WRONG_TYPE',
        message: '"each" is one pattern, not a list of files.',
        fix: eachOfList(listed),
      },
    ];
  const errors: EachError[] = [];
  const folder = folderOf(each);
  if (/[*?]/.test(folder))
    errors.push({
      path: ['each'],
      code: 'WILDCARD_IN_FOLDER',
      message: `"each" has a wildcard in the folder ${JSON.stringify(folder.slice(0, MAX_SHOWN))}. Only the name of the file may have wildcards.`,
      fix: 'Send one request with "each" for each folder, such as "wavs/*.wav".',
    });
  if (name !== undefined)
    errors.push({
      path: ['name'],
      code: 'EXCLUSIVE',
      message: '"name" is the name of one job, and "each" makes several jobs.',
      fix: leaveOut(),
    });
  const places: readonly { readonly path: EachError['path']; readonly text: string; readonly one?: OutputSpec }[] = [
    ...(output === undefined ? [] : [{ path: ['output'], text: output }]),
    ...(outputs ?? []).map((one, i) => ({ path: ['outputs', i, 'output'], text: one.output, one })),
  ];
  const sequence = sequenceError(request);
  if (sequence !== undefined) errors.push(sequence);
  for (const { path, text, one } of sequence === undefined ? places : [])
    errors.push(
      ...outputErrors(
        path,
        text,
        { ...request, ...one, parameters: { ...request.parameters, ...one?.parameters } },
        maker,
      ),
    );
  errors.push(...sameFileErrors(request, maker));
  const paths = input === undefined ? (inputs ?? []).flatMap(inputText) : [{ path: ['input'], text: input }];
  errors.push(
    ...paths.flatMap((place) => [
      ...unknownPlaceholders(place, {
        ...IN_INPUTS,
        allowed: [...IN_INPUTS.allowed, ...maker.placeholders],
        extension: EXTENSION.exec(each)?.[0],
      }),
      ...nameAlone(place, each),
    ]),
    ...textErrors(request, maker),
  );
  const texts = [...paths.map(({ text }) => text), ...Object.values(preset?.arguments ?? {})];
  const isNamed = texts.some((text) => typeof text === 'string' && text.search(PLACEHOLDER) >= 0);
  if ((input !== undefined || inputs !== undefined) && !isNamed)
    errors.push({
      path: [input === undefined ? 'inputs' : 'input'],
      code: 'NO_PLACEHOLDER',
      message: `All jobs of ${maker.name} would have the same input: its path has neither "{path}" nor "{name}".`,
      fix:
        input === undefined
          ? 'Send "{path}" in "inputs" for the file itself, or "{name}" in a path for its name without the extension.'
          : leaveOut(),
    });
  return errors;
}

/** The maximum number of files that a fix names. */
const MAX_NAMED = 20;

/**
 * The fix for a list of files in "each". For `a1.wav` and `a2.wav`: the pattern `a[12].wav`. If no pattern matches only these files: the
 * advice to send a request for each file.
 */
function eachOfList(files: readonly string[]): Edits | string {
  const [first = '', ...others] = files;
  const same = [...first].findIndex((char, at) => others.some((one) => one[at] !== char));
  const [start, end] = [first.slice(0, same), first.slice(same + 1)];
  const chars = new Set(files.map((one) => one[same] ?? ''));
  const isPattern =
    same >= 0 &&
    !/[*?[\]\\]/.test(start + end) &&
    chars.size === files.length &&
    files.every(
      (one) => one.slice(0, same) === start && one.slice(same + 1) === end && /[a-z\d_]/i.test(one[same] ?? ''),
    );
  if (isPattern && !end.includes('/')) return sendValue(`${start}[${[...chars].join('')}]${end}`);
  const named = files
    .slice(0, MAX_NAMED)
    .map((one) => `"${/[*?]/.test(one) ? 'each' : 'input'}": ${JSON.stringify(one)}`);
  return `Send a request for each of these files, each with its own output: ${named.join(', ')}.`;
}

/** The error if "each" lists the images of one video: the request has a frame rate and one output. undefined for other requests. */
function sequenceError({ each = '', input, inputs, output = '', parameters = {} }: EachRequest): EachError | undefined {
  const isSequence = IMAGES.test(each) && parameters['framerate'] !== undefined && !IMAGES.test(output);
  if (!isSequence || output === '' || output.includes('{') || input !== undefined || inputs !== undefined)
    return undefined;
  return {
    path: ['each'],
    code: 'MISPLACED',
    message:
      '"each" makes a job for each image, but "framerate" and an "output" without "{name}" ask for one video of all images.',
    fix: sendImages(each, parameters),
  };
}

/** The fix that makes one video of all images that a pattern matches. */
const sendImages = (pattern: string, parameters: object): Edits =>
  withMore(sendMembers({ input: pattern, parameters: { ...parameters, pattern_type: 'glob' } }), {
    do: 'remove',
    name: 'each',
  });

/** The error if `{name}`, perhaps with its folder, is used as the path of the file. `{name}` has no extension. */
function nameAlone(
  { path, text }: Pick<EachError, 'path'> & { readonly text: string },
  each: string,
): readonly EachError[] {
  const folder = folderOf(each);
  if (!/\.\w+$/.test(each) || !['{name}', `${folder}{name}`].includes(text)) return [];
  return [
    {
      path,
      code: 'UNKNOWN_PLACEHOLDER',
      message:
        '"{name}" is the name of each file without its extension, so "{name}" alone is not a path. "{path}" is the path of each file.',
      fix: sendValue('{path}'),
    },
  ];
}

/** The error for `"each": true` if the input of the request is the folder or the pattern. undefined for other requests. */
function eachOfInput({ input, inputs, output = '', format }: EachRequest): EachError | undefined {
  const [only, ...others] = input === undefined ? (inputs ?? []) : [input];
  if (typeof only !== 'string' || others.length > 0) return undefined;
  const isPattern = /[*?[]/.test(only) || /\.\w{2,5}$/.test(only);
  const each = isPattern || only.endsWith('/') ? only : `${only}/`;
  const folder = folderOf(output);
  const extension = /\.\w{2,5}$/.exec(output)?.[0] ?? (format === undefined ? '' : `.${format.replace(/^\./, '')}`);
  const isNamed = output.includes('{name}');
  return {
    path: ['each'],
    code: 'WRONG_TYPE',
    message: '"each" is the folder, or the pattern, whose files are converted.',
    fix: withMore(sendMembers({ each, ...(!isNamed && { output: `${folder}{name}${extension}` }) }), {
      do: 'remove',
      name: input === undefined ? 'inputs' : 'input',
    }),
  };
}

const EXTENSION = /\.\w{2,5}$/;

const IN_INPUTS = { of: 'an input', allowed: ['{path}', '{name}'], example: 'subs/{name}.srt' };

function inputText(one: string | InputSpec, i: number) {
  if (typeof one === 'string') return [{ path: ['inputs', i], text: one }];
  return one.input === undefined ? [] : [{ path: ['inputs', i, 'input'], text: one.input }];
}

const MAX_SHOWN = 200;

function outputErrors(
  path: EachError['path'],
  text: string,
  request: EachRequest,
  maker: EachMaker,
): readonly EachError[] {
  // A recipe may set the format, so the extension is not known here.
  const isOpen = request.preset !== undefined && request.format === undefined;
  const suiting = isOpen ? undefined : nameOfEach(request);
  const unknown = outputPlaceholders(path, text, {
    example: maker.placeholders.includes('{folder}') ? 'out/{folder}{name}.mp4' : 'mp3/{name}.mp3',
    extension: EXTENSION.exec(suiting ?? '')?.[0],
    maker,
  });
  if (unknown.length > 0) return unknown;
  if (text.includes('{name}')) return [];
  const folder = folderOf(text);
  const name = text.slice(folder.length);
  const extension = name.slice(Math.max(0, name.lastIndexOf('.')) || name.length);
  const whole = extension === '' ? suiting : `{name}${extension}`;
  return [
    {
      path,
      code: 'NO_PLACEHOLDER',
      message: `All jobs of ${maker.name} would have the same output: its path has no "{name}", the name of each file without its extension.`,
      fix:
        whole === undefined
          ? `Send ${JSON.stringify(`${folder}{name}`)} with the extension of the format that you want, such as ${JSON.stringify(`${folder}{name}.mp4`)}.`
          : sendValue(`${folder}${whole}`),
    },
  ];
}

/** The errors if all jobs of "each" would write additional files, such as segments, to the same paths. */
function sameFileErrors({ output, outputs = [], ...shared }: EachRequest, maker: EachMaker): readonly EachError[] {
  const all = [
    { path: ['output'], one: { output: output ?? '' } },
    ...outputs.map((one, i) => ({ path: ['outputs', i, 'output'], one })),
  ].filter(({ one }) => areInOneFolder(one.output));
  return [
    ...(all.length > 0 ? sameNames([], shared, maker) : []),
    ...outputs.flatMap((one, i) => (areInOneFolder(one.output) ? sameNames(['outputs', i], one, maker) : [])),
    ...all.flatMap(({ path, one }) => sameDefaultNames(path, { ...shared, ...one }, shared.parameters, maker)),
  ];
}

/**
 * The options of an expanded request that name files in the folder of an output. Each key is a JSON list of the folder, the option and the
 * file name; the value is the option.
 */
export function fileNames({ output = '', outputs, parameters }: ConversionRequest): ReadonlyMap<string, string> {
  const all = outputs ?? [{ output }];
  return new Map(
    all.flatMap((one) => {
      const folder = folderOf(one.output);
      return Object.entries({ ...parameters, ...one.parameters }).flatMap(([key, name]): [string, string][] =>
        FILE_NAME_OPTIONS.has(key) && typeof name === 'string' ? [[JSON.stringify([folder, key, name]), key]] : [],
      );
    }),
  );
}

/** The error if all jobs would write segments under ffmpeg's default names, such as `init.mp4`, in the same folder. */
function sameDefaultNames(
  path: readonly (string | number)[],
  { output, format, parameters }: OutputSpec,
  shared: EachRequest['parameters'],
  maker: EachMaker,
): readonly EachError[] {
  const options = { ...shared, ...parameters };
  const isDash = format === 'dash' || /\.mpd$/i.test(output);
  const named = isDash ? ['init_seg_name', 'media_seg_name'] : ['hls_fmp4_init_filename'];
  const needsNames = isDash || options['hls_segment_type'] === 'fmp4';
  // If the client itself sets these names without `{name}`, `sameNames` reports it.
  if (!needsNames || named.every((one) => options[one] !== undefined)) return [];
  const folder = folderOf(output);
  return [
    {
      path,
      code: 'NO_PLACEHOLDER',
      message: `All jobs of ${maker.name} would write segments under the same names, in the folder of the output.`,
      fix: sendValue(`${folder}{name}/index${isDash ? '.mpd' : '.m3u8'}`),
    },
  ];
}

/** Whether the outputs of all jobs are in the same folder: true for `hls/{name}.m3u8`, false for `{name}/index.m3u8`. */
const areInOneFolder = (output: string): boolean => output.indexOf('{name}') > output.lastIndexOf('/');

const sameNames = (
  at: readonly (string | number)[],
  { parameters = {}, fallback = {} }: Pick<OutputSpec, 'parameters' | 'fallback'>,
  maker: EachMaker,
): readonly EachError[] =>
  Object.entries({ parameters, fallback }).flatMap(([field, options]) =>
    Object.entries(options).flatMap(([key, text]) => {
      // Skip texts with other placeholders, which `textErrors` reports.
      if (!FILE_NAME_OPTIONS.has(key) || typeof text !== 'string' || text.includes('{')) return [];
      const start = text.lastIndexOf('/') + 1;
      return [
        {
          path: [...at, field, key],
          code: 'NO_PLACEHOLDER',
          message: `All jobs of ${maker.name} would write the files of "${key}" under the same names: neither "${key}" nor the folder of the output contains "{name}".`,
          fix: sendValue(`${text.slice(0, start)}{name}_${text.slice(start)}`),
        },
      ];
    }),
  );

/** The name of a file without its extension. */
const nameOfFile = (path: MediaPath): string => baseName(path).replace(/(?<=.)\.[^.]*$/s, '');

/** Returns a function that computes the maximum number of characters of the JSON request for one file. */
export function sizeOfEach(request: EachRequest): (file: MediaPath) => number {
  const text = JSON.stringify(request);
  const count = text.match(PLACEHOLDER)?.length ?? 0;
  return (file) => text.length + (count + 1) * 2 * file.length;
}

const COUNTER = /%\d*d/;

/**
 * The request for one file. The file is the input unless the request names inputs. Its name and path replace the placeholders. `more`: the
 * values of further placeholders by their names.
 */
export function requestForFile(
  { each: _, ...request }: EachRequest,
  file: MediaPath,
  more: Readonly<Record<string, string>> = {},
): ConversionRequest {
  const values: Readonly<Record<string, string>> = { ...more, name: nameOfFile(file), path: file };
  const names = Object.keys(more);
  // Replace all at once: a value can have the form of a placeholder.
  const placeholder = names.length === 0 ? PLACEHOLDER : new RegExp(`\\{(name|path|${names.join('|')})\\}`, 'g');
  const fill = (text: string): string => text.replaceAll(placeholder, (_all, key: string) => values[key] ?? '');
  // If a name has a counter, ffmpeg reads each "%" in it as the start of a counter. "%%" stands for "%".
  const fillOutput = (text: string): string =>
    COUNTER.test(text)
      ? text.replaceAll(placeholder, (all, key: string) =>
          key === 'path' ? all : (values[key] ?? '').replaceAll('%', '%%'),
        )
      : fill(text);
  const { input, inputs, output, outputs, preset } = request;
  const filledOptions = ({ parameters, fallback }: Pick<OutputSpec, 'parameters' | 'fallback'>) => ({
    ...(parameters && { parameters: fillFileNames(parameters, fill) }),
    ...(fallback && { fallback: fillFileNames(fallback, fill) }),
  });
  const filled = (one: string | InputSpec): string | InputSpec => {
    if (typeof one === 'string') return fill(one);
    return one.input === undefined ? one : { ...one, input: fill(one.input) };
  };
  return {
    ...request,
    ...filledOptions(request),
    ...(inputs === undefined ? { input: input === undefined ? file : fill(input) } : { inputs: inputs.map(filled) }),
    ...(output !== undefined && { output: fillOutput(output) }),
    ...(outputs && {
      outputs: outputs.map((one) => ({ ...one, ...filledOptions(one), output: fillOutput(one.output) })),
    }),
    ...(preset?.arguments && {
      preset: {
        ...preset,
        arguments: Object.fromEntries(
          Object.entries(preset.arguments).map(([key, value]) => [
            key,
            typeof value === 'string' ? fill(value) : value,
          ]),
        ),
      },
    }),
  };
}

/** The first two files that would have the same output, because only their extensions differ. */
export function findSameName(files: readonly MediaPath[]): readonly [MediaPath, MediaPath] | undefined {
  const byName = new Map<string, MediaPath>();
  for (const file of files) {
    const name = nameOfFile(file);
    const other = byName.get(name);
    if (other !== undefined) return [other, file];
    byName.set(name, file);
  }
  return undefined;
}

/** The maximum number of characters that `narrowerPattern` adds. */
const MAX_START = 60;

/**
 * A longer pattern that at most `limit` of the names match: `a1*.wav` for `a*.wav`. `names`: the sorted names that match `pattern`.
 * undefined: no longer pattern matches so few names, or the first wildcard is not a `*`.
 */
export function narrowerPattern(
  pattern: string,
  names: readonly string[],
  limit: number,
): { readonly pattern: string; readonly count: number } | undefined {
  const start = literalStart(pattern);
  const rest = pattern.slice(start.length);
  if (!rest.startsWith('*')) return undefined;
  const chars = [...(names[0] ?? '').slice(start.length, start.length + MAX_START)];
  let begin = start;
  let found = names;
  for (const char of chars) {
    begin += char;
    const current = begin;
    found = found.filter((name) => name.startsWith(current));
    if (found.length <= limit) break;
  }
  const narrower = `${quoteWildcards(begin)}${rest}`;
  const count = found.filter(wildcard(narrower)).length;
  return count === 0 || found.length > limit ? undefined : { pattern: narrower, count };
}
