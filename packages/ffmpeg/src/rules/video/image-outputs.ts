import { addOption, sendOption, sendValue } from '@telecine/contract/domain/edit.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { allFilters, lastValue } from '../../plan/request/argv-option.ts';
import { isVideoExtension, meantCounter, withCounter } from '../../plan/request/format-names.ts';
import { readRate } from '../../values/rate.ts';
import { quoted } from '../../values/value-error.ts';
import type { ForeseenWarning, RequestContext, Rules } from '../contexts.ts';

/** Frames per second at which ffmpeg reads images, unless `framerate` sets another rate. */
const DEFAULT_RATE = 25;

/** Filters that make one image from a whole input. */
const ONE_IMAGE: ReadonlySet<string> = new Set(['palettegen', 'showwavespic', 'showspectrumpic']);

const SEVERAL: ReadonlySet<string> = new Set(['fps', 'select', 'framestep', 'mpdecimate']);

/** Encoders of animations, and the formats that store all frames of an animation. */
const ANIMATED: ReadonlyMap<string, string> = new Map([
  ['apng', 'apng'],
  ['gif', 'gif'],
  ['libwebp_anim', 'webp'],
]);

/**
 * Warns that only the last frame remains, because this service makes ffmpeg write every frame to the same file. By itself, ffmpeg writes
 * the first frame and reports an error for the second.
 */
function lastFrameOnly(
  { options, opened, formatField }: RequestContext,
  output: MediaPath,
): ForeseenWarning | undefined {
  const isVideo = opened.some(
    ({ source }) => source.sequence !== undefined || isVideoExtension(extension(source.path)),
  );
  const frames = options.find(({ name }) => name.name === 'frames');
  const isOne = frames !== undefined && !(Number(frames.values[0]) > 1);
  // With `update`, the client intends that each frame replaces the one before.
  const isChosen = isOne || options.some(({ name }) => name.name === 'update');
  const filters = allFilters(options);
  if (!isVideo || isChosen || filters.some(({ name }) => ONE_IMAGE.has(name))) return undefined;
  const counter = meantCounter(output);
  if (counter !== undefined)
    return {
      field: '/output',
      code: 'LAST_FRAME',
      message: `The output is one image: ${quoted(counter.placeholder)} in its name is not a counter, so only the last frame is kept.`,
      fix: sendValue(counter.meant),
    };
  const encoder = lastValue('c:v', options) ?? lastValue('c', options) ?? '';
  const animated = ANIMATED.get(encoder);
  if (animated !== undefined)
    return {
      field: formatField,
      code: 'LAST_FRAME',
      message: `The output is one image, of the last frame: by its name it has a format for images, although ${encoder} encodes animations.`,
      fix:
        formatField === '/output'
          ? addOption('format', animated)
          : sendOption(formatField === '/format' ? 'format' : 'f', animated),
    };
  const wantsMany = filters.some(({ name }) => SEVERAL.has(name)) || options.some(({ key }) => key === 'r');
  return {
    field: '/output',
    code: 'LAST_FRAME',
    message: 'The output is one image: of all frames of the input, only the last is kept.',
    fix: wantsMany
      ? `For all frames, send an output with a counter: ${quoted(withCounter(output))}. For the first, "frames:v": "1".`
      : 'Send "frames:v": "1" for the first frame, with "ss" for a later one.',
  };
}

export const IMAGE_OUTPUT_RULES: Rules = {
  'sequence-frame-rate': {
    finds: '`r` for an image sequence, which ffmpeg reads at 25 images per second all the same',
    about: ['r'],
    plan({ options, opened: [only, ...others] }) {
      const rate = options.find(({ key }) => key === 'r');
      const value = rate?.values[0] ?? '';
      const number = readRate(value);
      if (only?.source.sequence === undefined || others.length > 0 || rate === undefined || number === undefined)
        return [];
      const hasRate = only.options.some(({ name }) => name.name === 'framerate' || name.name === 'r');
      if (hasRate || Math.abs(number - DEFAULT_RATE) < 0.1) return [];
      return {
        field: rate.field,
        code: 'UNUSUAL_VALUE',
        message: `"r" is the frame rate of the output: the images are read at ${DEFAULT_RATE} per second, and most are ${number < DEFAULT_RATE ? 'left out' : 'repeated'}.`,
        fix: sendOption('framerate', value),
      };
    },
  },

  'last-frame-only': {
    finds: 'a video that becomes one image, so that only its last frame is kept',
    plan: (context) => context.singleImage && lastFrameOnly(context, context.singleImage),
    run({ pass: { lastBlock }, options }) {
      const frames = lastBlock?.frame ?? 0;
      if (!options.replacesImage || frames < 2) return [];
      return {
        field: '/output',
        code: 'LAST_FRAME',
        message: `The output is one image: of ${frames} frames, only the last is kept.`,
        fix: { ...addOption('frames:v', '1'), note: 'That is the first frame. For a later one, send "ss" too.' },
      };
    },
  },
};
