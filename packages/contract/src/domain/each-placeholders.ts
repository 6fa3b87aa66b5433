import type { ConversionRequest, Metadata, OptionValue, Parameters } from './conversion.ts';
import { FILE_NAME_OPTIONS } from './planned-names.ts';
import type { FieldError } from './problem.ts';

/** An error in a field. `path` is relative to the request. */
export interface EachError extends Omit<FieldError, 'field'> {
  readonly path: EachPath;
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

/** The error for unknown placeholders in a path. `of`: what the path names, such as "an output". */
export function unknownPlaceholders(
  { path, text }: { readonly path: EachPath; readonly text: string },
  { of, allowed }: { readonly of: string; readonly allowed: readonly string[] },
): readonly EachError[] {
  const [unknown] = (text.match(ANY_PLACEHOLDER) ?? []).filter((one) => !allowed.includes(one));
  if (unknown === undefined) return [];
  const more = `${allowed.includes('{path}') ? ', "{path}" its path' : ''}${allowed.includes('{folder}') ? ', "{folder}" the folders below the watched one' : ''}`;
  return [
    {
      path,
      code: 'UNKNOWN_PLACEHOLDER',
      message: `"${unknown}" is not known in ${of}. "{name}" is the name of each file without its extension${more}.`,
      nearest: { given: unknown, names: allowed, is: 'word' },
    },
  ];
}

/** The error for a placeholder other than `{name}` in the name of a file that ffmpeg writes. */
export const outputPlaceholders = (path: EachPath, text: string, maker: EachMaker): readonly EachError[] =>
  unknownPlaceholders({ path, text }, { of: 'an output', allowed: ['{name}', ...maker.placeholders] });

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
    FILE_NAME_OPTIONS.has(key) ? outputPlaceholders(path, text, maker) : unreplaced(path, text, maker),
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
      message: `"${found}" is not replaced in this field: all jobs of ${maker.name} would get this text unchanged. Placeholders are for paths, arguments of "preset" and options that name files.`,
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
