import type { ConversionRequest, Metadata, OptionValue, Parameters } from './conversion.ts';
import { type Edits, sendValue } from './edit.ts';
import { FILE_NAME_OPTIONS } from './planned-names.ts';

/** An error in a field. `path` is relative to the request. */
export interface EachError {
  readonly path: EachPath;
  readonly code: string;
  readonly message: string;
  readonly fix: Edits | string;
  readonly allowed?: readonly string[];
}

type EachPath = readonly (string | number)[];

/** Who makes a job for each file: `each` of a request, or a watch. */
export interface EachMaker {
  /** How messages name it: the end of "All jobs of …". */
  readonly name: string;
  /** The placeholders of paths in addition to `{name}` and `{path}`. */
  readonly placeholders: readonly string[];
}

export const EACH: EachMaker = { name: '"each"', placeholders: [] };

/** The placeholders for the name and the path of a file. */
export const PLACEHOLDER = /\{(name|path)\}/g;

/** Text that looks like a placeholder, such as the placeholders of other tools. */
const ANY_PLACEHOLDER = /\{[a-z]{1,20}\}/gi;

/** `%{name}` is not a placeholder but an expansion of the filter drawtext. */
const LITERAL_PLACEHOLDER = /(?<!%)\{(?:name|path)\}/;

/** Placeholders of other tools for the name of a file. */
const NAME_PLACEHOLDER = /^\{(?:file_?name|base_?name|stem|file|title|input|source|original(?:_?name)?)\}$/i;

/** Placeholders of other tools for a counter that makes file names different. */
const NUMBER_PLACEHOLDER = /^\{(?:n|i|num|number|index|idx|count|counter|seq)\}$/i;

/** Placeholders of other tools for the folders between the watched folder and the file. `{folder}` has the slash at its end. */
const FOLDER_PLACEHOLDER = /\{(?:dir|directory|subdir|subfolder|relpath|reldir|parent|path|subpath)\}\/?/gi;

/** Placeholders of other tools for the day. */
const DATE_PLACEHOLDER = /\{(?:day|today|ymd|yyyymmdd)\}/gi;

/** Placeholders of other tools for the extension of a file. */
const EXTENSION_PLACEHOLDER = /\.\{(?:ext|extension|suffix|format)\}$/i;

/**
 * The error for unknown placeholders in a path. `of`: what the path names, such as "an output". `extension`: the extension of the path with
 * its dot, if it is fixed.
 */
export function unknownPlaceholders(
  { path, text }: { readonly path: EachPath; readonly text: string },
  {
    of,
    allowed,
    example,
    extension,
  }: {
    readonly of: string;
    readonly allowed: readonly string[];
    readonly example: string;
    readonly extension?: string | undefined;
  },
): readonly EachError[] {
  const unknown = [...new Set(text.match(ANY_PLACEHOLDER) ?? [])].filter((one) => !allowed.includes(one));
  if (unknown.length === 0) return [];
  const isOfName = (one: string): boolean =>
    NAME_PLACEHOLDER.test(one) || (NUMBER_PLACEHOLDER.test(one) && !text.includes('{name}'));
  const withName = unknown.filter(isOfName).reduce((all, one) => all.replaceAll(one, '{name}'), text);
  const isOfWatch = allowed.includes('{folder}');
  const named = isOfWatch && !allowed.includes('{path}') ? withFolder(withName) : withName;
  const meant = extension === undefined ? named : named.replace(EXTENSION_PLACEHOLDER, extension);
  const isClear = (meant.match(ANY_PLACEHOLDER) ?? []).every((one) => allowed.includes(one));
  const isOfNewFiles = !isClear && EXTENSION_PLACEHOLDER.test(meant);
  const quoted = unknown.map((one) => JSON.stringify(one)).join(' and ');
  const meaning = '"{name}" is the name of each file without its extension';
  return [
    {
      path,
      code: 'UNKNOWN_PLACEHOLDER',
      message: `${quoted} ${unknown.length === 1 ? 'is' : 'are'} not known in ${of}. ${meaning}${allowed.includes('{path}') ? ', "{path}" its path' : ''}${isOfWatch ? ', "{folder}" the folders below the watched one' : ''}.`,
      allowed,
      fix: isClear
        ? sendValue(meant)
        : isOfNewFiles
          ? `Send the extension of the new files, such as ${JSON.stringify(meant.replace(EXTENSION_PLACEHOLDER, '.mp4'))}.`
          : `Send, for example, ${JSON.stringify(example)}.`,
    },
  ];
}

const withFolder = (text: string): string =>
  text.replaceAll(FOLDER_PLACEHOLDER, '{folder}').replaceAll(DATE_PLACEHOLDER, '{date}');

/** The error for a placeholder other than `{name}` in the name of a file that ffmpeg writes. */
export const outputPlaceholders = (
  path: EachPath,
  text: string,
  {
    example,
    extension,
    maker,
  }: { readonly example: string; readonly extension?: string | undefined; readonly maker: EachMaker },
): readonly EachError[] =>
  unknownPlaceholders(
    { path, text },
    { of: 'an output', allowed: ['{name}', ...maker.placeholders], example, extension },
  );

/** The errors for placeholders in options and other texts of a request. Only options that name files may contain `{name}`. */
export function textErrors(
  {
    inputs,
    outputs,
    parameters,
    fallback,
    metadata,
    encrypt,
  }: Pick<ConversionRequest, 'inputs' | 'outputs' | 'parameters' | 'fallback' | 'metadata' | 'encrypt'>,
  maker: EachMaker,
): readonly EachError[] {
  const optionErrors = (at: EachPath, options: Parameters | undefined) => outputOptionErrors(at, options, maker);
  const literalErrors = (at: EachPath, text: string) => unreplaced(at, text, maker);
  return [
    ...optionErrors(['parameters'], parameters),
    ...optionErrors(['fallback'], fallback),
    ...(outputs ?? []).flatMap((one, i) => [
      ...optionErrors(['outputs', i, 'parameters'], one.parameters),
      ...optionErrors(['outputs', i, 'fallback'], one.fallback),
    ]),
    ...(inputs ?? []).flatMap((one, i) =>
      typeof one === 'string'
        ? []
        : [
            ...literalErrors(['inputs', i, 'source'], one.source ?? ''),
            ...eachText(['inputs', i, 'parameters'], one.parameters).flatMap(({ path, text }) =>
              literalErrors(path, text),
            ),
          ],
    ),
    ...eachText(['metadata'], metadata).flatMap(({ path, text }) => literalErrors(path, text)),
    ...literalErrors(['encrypt', 'keyUri'], encrypt?.keyUri ?? ''),
  ];
}

const outputOptionErrors = (at: EachPath, parameters: Parameters | undefined, maker: EachMaker): readonly EachError[] =>
  eachText(at, parameters).flatMap(({ path, key, text }) =>
    FILE_NAME_OPTIONS.has(key)
      ? outputPlaceholders(path, text, { example: '{name}_%03d.ts', maker })
      : unreplaced(path, text, maker),
  );

const eachText = (
  at: EachPath,
  texts: Parameters | Metadata | undefined,
): readonly { readonly path: EachPath; readonly key: string; readonly text: string }[] =>
  Object.entries<OptionValue>(texts ?? {}).flatMap(([key, value]) =>
    typeof value === 'object'
      ? value.map((one, i) => ({ path: [...at, key, i], key, text: String(one) }))
      : [{ path: [...at, key], key, text: String(value) }],
  );

function unreplaced(path: EachPath, text: string, maker: EachMaker): readonly EachError[] {
  const [found] = LITERAL_PLACEHOLDER.exec(text) ?? [];
  if (found === undefined) return [];
  return [
    {
      path,
      code: 'UNKNOWN_PLACEHOLDER',
      message: `"${found}" is not replaced in this field: all jobs of ${maker.name} would get this text unchanged.`,
      fix: 'Leave it out. Placeholders are for paths of inputs and outputs, arguments of "preset" and options such as "hls_segment_filename".',
    },
  ];
}

/** Applies `fill` to the names of files that ffmpeg writes. The other options stay. */
export const fillFileNames = (parameters: Parameters, fill: (text: string) => string): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => {
      if (!FILE_NAME_OPTIONS.has(key) || typeof value === 'boolean') return [key, value];
      return [key, typeof value === 'object' ? value.map((one) => fill(String(one))) : fill(String(value))];
    }),
  );
