import { extname } from 'node:path';
import { isUrl } from '../../../domain/url-input.ts';
import { usageError } from '../../session/command-failed.ts';
import type { OrderedArgument } from '../../session/ordered-command.ts';
import { addParameter, type CommandParameters } from '../../session/parameters.ts';
import { type FileLocation, inputLocation } from './file-names.ts';

/** One picture of a local image sequence. */
export interface LocalFrame {
  readonly file: string;
  /** Its number in the sequence; for a wildcard, its place in the order of names. */
  readonly number: number;
}

/** An input of the command line. */
export interface CommandInput {
  readonly location: FileLocation;
  readonly parameters: CommandParameters | undefined;
  /** Seconds, as text. */
  readonly duration: string | undefined;
  readonly crossfade: string | undefined;
  /** The files of a local image sequence, whose pattern is `location`. */
  readonly frames?: readonly LocalFrame[];
  /** An option without a value directly before this file, which may be its value: `crf` in `-p crf 28`. */
  readonly nameBefore: string | undefined;
}

/** The extensions of pictures. `--duration` applies only to these, not to other inputs such as music. */
const PICTURES =
  /^\.(jpe?g|png|webp|bmp|tiff?|avif|heic|heif|gif|jxl|ppm|pgm|pbm|pam|tga|jp2|j2k|exr|dpx|qoi|sgi|xbm|pcx|psd|dds)$/i;

/** Whether a file or a URL is a picture by its extension. */
export const isPicture = (path: string): boolean =>
  PICTURES.test(extname(isUrl(path) ? path.replace(/[?#].*$/s, '') : path));

/** Whether ffmpeg finds the files of an input by the wildcards in its name. */
export const isWildcard = ({ parameters }: CommandInput): boolean => parameters?.['pattern_type'] === 'glob';

/** The options whose values are ffmpeg options. */
const TAKES_VALUE = /^(?:parameter|input-option)$/;

/**
 * Reads inputs without an output, as for `--to`. `-i` and `--duration` apply to all inputs, because a shell expands a pattern in one
 * place.
 */
export function readInputs(words: readonly OrderedArgument[]): readonly CommandInput[] {
  let parameters: CommandParameters | undefined;
  let duration: string | undefined;
  for (const word of words) {
    if (word.kind !== 'option') continue;
    if (word.name === 'input-option') parameters = addParameter(word.value, parameters);
    if (word.name === 'duration') duration = word.value;
  }
  return words.flatMap((word, i): readonly CommandInput[] => {
    if (word.kind !== 'file') return [];
    const location = inputLocation(word.text);
    if (location.on === 'server' && location.isSource === true)
      throw usageError(
        'NO_NAME',
        `source:${location.path} is not a file, and --to names each output after its input.`,
        'Convert it by a command of its own, with the name of its output.',
      );
    const before = words[i - 1];
    return [
      {
        location,
        parameters,
        duration: isPicture(location.path) ? duration : undefined,
        crossfade: undefined,
        nameBefore: before?.kind === 'option' ? nameAlone(before) : undefined,
      },
    ];
  });
}

/** The name of an ffmpeg option without a value. */
const nameAlone = ({ name, value }: OrderedArgument & { readonly kind: 'option' }): string | undefined =>
  TAKES_VALUE.test(name) && !value.includes('=') ? value : undefined;

/**
 * Reads the inputs and the output, which is the last file. `-i` applies to the next input, `--duration` and `--crossfade` to all
 * following images, with `--join` to all following inputs. undefined without an input or an output.
 */
export function readFiles(words: readonly OrderedArgument[]):
  | {
      readonly inputs: readonly CommandInput[];
      readonly output: FileLocation;
      readonly nameBeforeOutput: string | undefined;
    }
  | undefined {
  const inputs: CommandInput[] = [];
  let parameters: CommandParameters | undefined;
  let duration: string | undefined;
  let crossfade: string | undefined;
  let nameBefore: string | undefined;
  const joins = words.some((word) => word.kind === 'option' && word.name === 'join');
  for (const word of words) {
    if (word.kind === 'option') {
      nameBefore = nameAlone(word);
      if (word.name === 'input-option') parameters = addParameter(word.value, parameters);
      if (word.name === 'duration') duration = word.value;
      if (word.name === 'crossfade') crossfade = word.value;
      continue;
    }
    const location = inputLocation(word.text);
    const isStill = isPicture(location.path) && duration !== undefined;
    // The first one cannot fade in over a previous one.
    const fades = joins ? inputs.length > 0 : isStill && inputs.some((before) => before.duration !== undefined);
    inputs.push({
      location,
      parameters,
      duration: isStill ? duration : undefined,
      crossfade: fades ? crossfade : undefined,
      nameBefore,
    });
    parameters = undefined;
    nameBefore = undefined;
  }
  const output = inputs.pop();
  const isMade = output?.location.on === 'server' && output.location.isSource === true;
  if (isMade)
    throw usageError(
      'NO_OUTPUT',
      `source:${output.location.path} is an input, and the last file is the output.`,
      'Name the output after it, such as out.mp4.',
    );
  return output === undefined || inputs.length === 0
    ? undefined
    : { inputs, output: output.location, nameBeforeOutput: output.nameBefore };
}
