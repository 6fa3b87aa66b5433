import { extname } from 'node:path';
import { isUrl } from '@telecine/contract/domain/url-input.ts';
import { usageError } from '../../session/command-failed.ts';
import { isOption, type OrderedArgument } from '../../session/ordered-command.ts';
import { addParameter, type CommandParameters } from '../../session/parameters.ts';
import { type FileLocation, inputLocation } from './file-names.ts';

/** One image of a local image sequence. */
export interface LocalFrame {
  readonly file: string;
  /** The number of the frame in the sequence. For a wildcard: its index in the order of names. */
  readonly number: number;
}

export interface CommandInput {
  readonly location: FileLocation;
  readonly parameters: CommandParameters | undefined;
  /** Seconds, as text. */
  readonly duration: string | undefined;
  readonly crossfade: string | undefined;
  /** The files of a local image sequence. `location` is then the file name pattern. */
  readonly frames?: readonly LocalFrame[];
}

/** The extensions of images. `--duration` applies only to images, not to other inputs such as music. */
const IMAGES =
  /^\.(jpe?g|png|webp|bmp|tiff?|avif|heic|heif|gif|jxl|ppm|pgm|pbm|pam|tga|jp2|j2k|exr|dpx|qoi|sgi|xbm|pcx|psd|dds)$/i;

/** Whether a file or a URL is an image by its extension. */
export const isImage = (path: string): boolean =>
  IMAGES.test(extname(isUrl(path) ? path.replace(/[?#].*$/s, '') : path));

/** Whether the name of an input has wildcards that ffmpeg expands (`pattern_type=glob`). */
export const isWildcard = ({ parameters }: CommandInput): boolean => parameters?.['pattern_type'] === 'glob';

/**
 * Reads the inputs of a command with `--to`, which has no output argument. `-i` and `--duration` apply to all inputs, because a shell
 * expands a pattern to adjacent arguments.
 */
export function readInputs(words: readonly OrderedArgument[]): readonly CommandInput[] {
  let parameters: CommandParameters | undefined;
  let duration: string | undefined;
  for (const word of words) {
    if (word.kind !== 'option') continue;
    if (word.name === 'input-option') parameters = addParameter(word.value, parameters);
    if (word.name === 'duration') duration = word.value;
  }
  return words.flatMap((word): readonly CommandInput[] => {
    if (word.kind !== 'file') return [];
    const location = inputLocation(word.text);
    if (location.on === 'server' && location.isSource === true)
      throw usageError(
        'NO_NAME',
        `source:${location.path} is not a file, and --to names each output after its input.`,
        'Convert it by a command of its own, with the name of its output.',
      );
    return [{ location, parameters, duration: isImage(location.path) ? duration : undefined, crossfade: undefined }];
  });
}

/**
 * Reads the inputs and the output, which is the last file. `-i` applies to the next input. `--duration` and `--crossfade` apply to all
 * following images. With `--join`, `--crossfade` applies to all following inputs. undefined: an input or the output is missing.
 */
export function readFiles(
  words: readonly OrderedArgument[],
): { readonly inputs: readonly CommandInput[]; readonly output: FileLocation } | undefined {
  const inputs: CommandInput[] = [];
  let parameters: CommandParameters | undefined;
  let duration: string | undefined;
  let crossfade: string | undefined;
  const joins = words.some((word) => isOption(word, 'join'));
  for (const word of words) {
    if (word.kind === 'option') {
      if (word.name === 'input-option') parameters = addParameter(word.value, parameters);
      if (word.name === 'duration') duration = word.value;
      if (word.name === 'crossfade') crossfade = word.value;
      continue;
    }
    const location = inputLocation(word.text);
    const isStill = isImage(location.path) && duration !== undefined;
    // A crossfade needs a previous input, which the first input does not have.
    const fades = joins ? inputs.length > 0 : isStill && inputs.some((before) => before.duration !== undefined);
    inputs.push({
      location,
      parameters,
      duration: isStill ? duration : undefined,
      crossfade: fades ? crossfade : undefined,
    });
    parameters = undefined;
  }
  const output = inputs.pop();
  if (output?.location.on === 'server' && output.location.isSource === true)
    throw usageError(
      'NO_OUTPUT',
      `source:${output.location.path} is an input, and the last file is the output.`,
      'Name the output after it, such as out.mp4.',
    );
  return output === undefined || inputs.length === 0 ? undefined : { inputs, output: output.location };
}
