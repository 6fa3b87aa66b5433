import type { ConversionRequest, InputSpec } from './conversion.ts';
import { baseName, type MediaPath } from './media-path.ts';
import { literalStart, quoteWildcards, wildcard } from './wildcard.ts';

/*
 * A request of a batch with `each` stands for several: one for each file that a pattern matches. `{name}` and `{path}` in its
 * paths are those of the file.
 */

/** A conversion request that may have `each`. */
export interface EachRequest extends ConversionRequest {
  /** A pattern such as `wavs/*.wav`, or a folder with a slash at its end. */
  readonly each?: string;
  readonly name?: string;
}

/** The most entries of folders that one batch reads, so that a pattern for few of very many files costs little. */
export const MAX_ENTRIES = 10_000;

/** An error in a field of a request, without the place of the request. */
export interface EachError {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
  readonly fix: string;
  readonly allowed?: readonly string[];
}

const PLACEHOLDER = /\{(name|path)\}/g;
/** What looks like a placeholder, as other tools have them. */
const ANY_PLACEHOLDER = /\{[a-z]{1,20}\}/gi;

/** The pattern of `each` as the path of a file: a folder means all its files. */
export const patternOf = (each: string): string => (each.endsWith('/') ? `${each}*` : each);

/** What is wrong with a request that has `each`, as far as the request alone says it. */
export function eachErrors({ each = '', name, input, inputs, output, outputs }: EachRequest): readonly EachError[] {
  const errors: EachError[] = [];
  const folder = each.slice(0, each.lastIndexOf('/') + 1);
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
      message: '"name" is that of one job, and "each" makes several.',
      fix: 'Leave it out.',
    });
  const places = [
    ...(output === undefined ? [] : [{ path: ['output'], text: output }]),
    ...(outputs ?? []).map((one, i) => ({ path: ['outputs', i, 'output'], text: one.output })),
  ];
  for (const { path, text } of places) errors.push(...outputErrors(path, text));
  const paths = input === undefined ? (inputs ?? []).flatMap(pathIn) : [input];
  if ((input !== undefined || inputs !== undefined) && !paths.some((text) => text.search(PLACEHOLDER) >= 0))
    errors.push({
      path: [input === undefined ? 'inputs' : 'input'],
      code: 'NO_PLACEHOLDER',
      message: 'All jobs of "each" would have the same input: its path has neither "{path}" nor "{name}".',
      fix:
        input === undefined
          ? 'Send "{path}" in "inputs" for the file itself, or "{name}" in a path for its name without the extension.'
          : 'Leave it out.',
    });
  return errors;
}

const pathIn = (one: string | InputSpec): readonly string[] => {
  const text: unknown = typeof one === 'string' ? one : one?.input;
  return typeof text === 'string' ? [text] : [];
};

const MAX_SHOWN = 200;

function outputErrors(path: readonly (string | number)[], text: string): readonly EachError[] {
  const unknown = (text.match(ANY_PLACEHOLDER) ?? []).find((one) => one !== '{name}');
  if (unknown !== undefined)
    return [
      {
        path,
        code: 'UNKNOWN_PLACEHOLDER',
        message: `"${unknown}" is not known in an output. "{name}" is the name of each file without its extension.`,
        allowed: ['{name}'],
        fix: 'Send, for example, "mp3/{name}.mp3".',
      },
    ];
  if (text.includes('{name}')) return [];
  const folder = text.slice(0, text.lastIndexOf('/') + 1);
  const name = text.slice(folder.length);
  const extension = name.slice(Math.max(0, name.lastIndexOf('.')) || name.length);
  return [
    {
      path,
      code: 'NO_PLACEHOLDER',
      message:
        'All jobs of "each" would have the same output: its path has no "{name}", the name of each file without its extension.',
      fix: `Send ${JSON.stringify(`${folder}{name}${extension}`)}.`,
    },
  ];
}

/** The name of a file without its extension. */
export const nameOfFile = (path: MediaPath): string => baseName(path).replace(/(?<=.)\.[^.]*$/s, '');

/** The most characters that the request for a file can have as JSON. */
export function sizeOfEach(request: EachRequest): (file: MediaPath) => number {
  const text = JSON.stringify(request);
  const count = text.match(PLACEHOLDER)?.length ?? 0;
  return (file) => text.length + (count + 1) * 2 * file.length;
}

/** The request for one file: its input, unless the request names others, and the placeholders in its paths. */
export function requestForFile({ each: _, ...request }: EachRequest, file: MediaPath): ConversionRequest {
  const values = { name: nameOfFile(file), path: file };
  const fill = (text: string): string => text.replaceAll(PLACEHOLDER, (_all, key: keyof typeof values) => values[key]);
  const { input, inputs, output, outputs, preset } = request;
  const filled = (one: string | InputSpec): string | InputSpec => {
    if (typeof one === 'string') return fill(one);
    return one.input === undefined ? one : { ...one, input: fill(one.input) };
  };
  return {
    ...request,
    ...(inputs === undefined ? { input: input === undefined ? file : fill(input) } : { inputs: inputs.map(filled) }),
    ...(output !== undefined && { output: fill(output) }),
    ...(outputs && { outputs: outputs.map((one) => ({ ...one, output: fill(one.output) })) }),
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

/** The first two files whose outputs would be one, because they differ only in their extensions. */
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

/** A longer pattern is not suggested. */
const MAX_START = 60;

/**
 * A pattern for at most `limit` of the names: those that begin as the first does. undefined if the wildcard is not a `*`.
 *
 * @param names Sorted names that match `pattern`.
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
