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
  const named = unknown.filter(isOfName).reduce((all, one) => all.replaceAll(one, '{name}'), text);
  const meant = extension === undefined ? named : named.replace(EXTENSION_PLACEHOLDER, extension);
  const isClear = (meant.match(ANY_PLACEHOLDER) ?? []).every((one) => allowed.includes(one));
  const isOfNewFiles = !isClear && EXTENSION_PLACEHOLDER.test(meant);
  const quoted = unknown.map((one) => JSON.stringify(one)).join(' and ');
  const meaning = '"{name}" is the name of each file without its extension';
  return [
    {
      path,
      code: 'UNKNOWN_PLACEHOLDER',
      message: `${quoted} ${unknown.length === 1 ? 'is' : 'are'} not known in ${of}. ${meaning}${allowed.includes('{path}') ? ', "{path}" its path' : ''}.`,
      allowed,
      fix: isClear
        ? sendValue(meant)
        : isOfNewFiles
          ? `Send the extension of the new files, such as ${JSON.stringify(meant.replace(EXTENSION_PLACEHOLDER, '.mp4'))}.`
          : `Send, for example, ${JSON.stringify(example)}.`,
    },
  ];
}

/** The error for a placeholder other than `{name}` in the name of a file that ffmpeg writes. */
export const outputPlaceholders = (
  path: EachPath,
  text: string,
  example: string,
  extension?: string,
): readonly EachError[] =>
  unknownPlaceholders({ path, text }, { of: 'an output', allowed: ['{name}'], example, extension });

/** The errors for placeholders in options and other texts of a request. Only options that name files may contain `{name}`. */
export function textErrors({
  inputs,
  outputs,
  parameters,
  fallback,
  metadata,
  encrypt,
}: Pick<
  ConversionRequest,
  'inputs' | 'outputs' | 'parameters' | 'fallback' | 'metadata' | 'encrypt'
>): readonly EachError[] {
  return [
    ...outputOptionErrors(['parameters'], parameters),
    ...outputOptionErrors(['fallback'], fallback),
    ...(outputs ?? []).flatMap((one, i) => [
      ...outputOptionErrors(['outputs', i, 'parameters'], one.parameters),
      ...outputOptionErrors(['outputs', i, 'fallback'], one.fallback),
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

const outputOptionErrors = (at: EachPath, parameters: Parameters | undefined): readonly EachError[] =>
  eachText(at, parameters).flatMap(({ path, key, text }) =>
    FILE_NAME_OPTIONS.has(key) ? outputPlaceholders(path, text, '{name}_%03d.ts') : literalErrors(path, text),
  );

const eachText = (
  at: EachPath,
  texts: Parameters | Metadata | undefined,
): readonly { readonly path: EachPath; readonly key: string; readonly text: string }[] =>
  Object.entries<OptionValue>(texts ?? {}).flatMap(([key, value]) =>
    typeof value === 'string'
      ? [{ path: [...at, key], key, text: value }]
      : value.map((text, i) => ({ path: [...at, key, i], key, text })),
  );

function literalErrors(path: EachPath, text: string): readonly EachError[] {
  const [found] = LITERAL_PLACEHOLDER.exec(text) ?? [];
  if (found === undefined) return [];
  return [
    {
      path,
      code: 'UNKNOWN_PLACEHOLDER',
      message: `"${found}" is not replaced in this field: all jobs of "each" would get this text unchanged.`,
      fix: 'Leave it out. Placeholders are for paths of inputs and outputs, arguments of "preset" and options such as "hls_segment_filename".',
    },
  ];
}

/** Applies `fill` to the names of files that ffmpeg writes. The other options stay. */
export const fillFileNames = (parameters: Parameters, fill: (text: string) => string): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).map(([key, value]) => {
      if (!FILE_NAME_OPTIONS.has(key)) return [key, value];
      return [key, typeof value === 'string' ? fill(value) : value.map(fill)];
    }),
  );
