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
import { baseName, folderOf, type MediaPath } from './media-path.ts';
import { FILE_NAME_OPTIONS } from './planned-names.ts';

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
  const errors: EachError[] = [];
  const folder = folderOf(each);
  if (/[*?]/.test(folder))
    errors.push({
      path: ['each'],
      code: 'WILDCARD_IN_FOLDER',
      message: `"each" has a wildcard in the folder ${JSON.stringify(folder.slice(0, MAX_SHOWN))}. Only the name of the file may have wildcards.`,
    });
  if (name !== undefined)
    errors.push({
      path: ['name'],
      code: 'EXCLUSIVE',
      message: '"name" is the name of one job, and "each" makes several jobs.',
    });
  const places: readonly { readonly path: EachError['path']; readonly text: string }[] = [
    ...(output === undefined ? [] : [{ path: ['output'], text: output }]),
    ...(outputs ?? []).map((one, i) => ({ path: ['outputs', i, 'output'], text: one.output })),
  ];
  for (const { path, text } of places) errors.push(...outputErrors(path, text, maker));
  errors.push(...sameFileErrors(request, maker));
  const paths = input === undefined ? (inputs ?? []).flatMap(inputText) : [{ path: ['input'], text: input }];
  errors.push(
    ...paths.flatMap((place) => [
      ...unknownPlaceholders(place, { of: 'an input', allowed: ['{path}', '{name}', ...maker.placeholders] }),
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
      message: `All jobs of ${maker.name} would have the same input: its path has neither "{path}", the file itself, nor "{name}", its name without the extension.`,
    });
  return errors;
}

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
    },
  ];
}

function inputText(one: string | InputSpec, i: number) {
  if (typeof one === 'string') return [{ path: ['inputs', i], text: one }];
  return one.input === undefined ? [] : [{ path: ['inputs', i, 'input'], text: one.input }];
}

const MAX_SHOWN = 200;

function outputErrors(path: EachError['path'], text: string, maker: EachMaker): readonly EachError[] {
  const unknown = outputPlaceholders(path, text, maker);
  if (unknown.length > 0 || text.includes('{name}')) return unknown;
  return [
    {
      path,
      code: 'NO_PLACEHOLDER',
      message: `All jobs of ${maker.name} would have the same output: its path has no "{name}", the name of each file without its extension.`,
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
  return [
    {
      path,
      code: 'NO_PLACEHOLDER',
      message: `All jobs of ${maker.name} would write segments under the same names, in the folder of the output. The folder needs "{name}".`,
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
      return [
        {
          path: [...at, field, key],
          code: 'NO_PLACEHOLDER',
          message: `All jobs of ${maker.name} would write the files of "${key}" under the same names: neither "${key}" nor the folder of the output contains "{name}".`,
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
