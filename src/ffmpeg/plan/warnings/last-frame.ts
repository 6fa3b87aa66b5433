import { addOption, sendOption, sendValue } from '../../../domain/edit.ts';
import { extension, type MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { quoted } from '../../values/value-error.ts';
import { type ArgvOption, allFilters, lastValue } from '../request/argv-option.ts';
import { isFilmExtension, meantCounter, withCounter } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { FormatField } from './format-field.ts';

/** Filters that make one picture of a whole input. */
const ONE_PICTURE: ReadonlySet<string> = new Set(['palettegen', 'showwavespic', 'showspectrumpic']);

/** Filters that choose several pictures of a film. */
const SEVERAL: ReadonlySet<string> = new Set(['fps', 'select', 'framestep', 'mpdecimate']);

/** Encoders of animations, and the formats that hold all of their frames. */
const ANIMATED: ReadonlyMap<string, string> = new Map([
  ['apng', 'apng'],
  ['gif', 'gif'],
  ['libwebp_anim', 'webp'],
]);

/**
 * Warns about a film that becomes one picture. ffmpeg writes every frame to the same file, so the last one stays.
 * Without this service, ffmpeg keeps the first frame and complains about the second.
 */
export function lastFrameOnly(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  output: MediaPath,
  formatField: FormatField,
): readonly Warning[] {
  const isFilm = inputs.some(({ source }) => source.sequence !== undefined || isFilmExtension(extension(source.path)));
  const frames = options.find(({ name }) => name.name === 'frames');
  const isOne = frames !== undefined && !(Number(frames.values[0]) > 1);
  // A request with `update` knows that each frame replaces the one before.
  const isChosen = isOne || options.some(({ name }) => name.name === 'update');
  const filters = allFilters(options);
  if (!isFilm || isChosen || filters.some(({ name }) => ONE_PICTURE.has(name))) return [];
  const counter = meantCounter(output);
  if (counter !== undefined)
    return [
      {
        field: '/output',
        code: 'LAST_FRAME',
        message: `The output is one picture: ${quoted(counter.placeholder)} in its name is no counter, so only the last frame is kept.`,
        fix: sendValue(counter.meant),
      },
    ];
  const encoder = lastValue('c:v', options) ?? lastValue('c', options) ?? '';
  const animated = ANIMATED.get(encoder);
  if (animated !== undefined)
    return [
      {
        field: formatField,
        code: 'LAST_FRAME',
        message: `The output is one picture, of the last frame: by its name it has a format for pictures, although ${encoder} encodes animations.`,
        fix:
          formatField === '/output'
            ? addOption('format', animated)
            : sendOption(formatField === '/format' ? 'format' : 'f', animated),
      },
    ];
  const wantsMany = filters.some(({ name }) => SEVERAL.has(name)) || options.some(({ key }) => key === 'r');
  return [
    {
      field: '/output',
      code: 'LAST_FRAME',
      message: 'The output is one picture: of all frames of the input, only the last is kept.',
      fix: wantsMany
        ? `For all frames, send an output with a counter: ${quoted(withCounter(output))}. For the first, "frames:v": "1".`
        : 'Send "frames:v": "1" for the first frame, with "ss" for a later one.',
    },
  ];
}
