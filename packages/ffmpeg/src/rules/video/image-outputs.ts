import { addOption, sendOption, sendValue } from '@telecine/contract/domain/edit.ts';
import { extension, type MediaPath } from '@telecine/contract/domain/media-path.ts';
import { wordPairs } from '../../allowlist/words.ts';
import { allFilters, lastValue } from '../../plan/request/argv-option.ts';
import { isVideoExtension, meantCounter, withCounter } from '../../plan/request/format-names.ts';
import { readRate } from '../../values/rate.ts';
import { quoted } from '../../values/value-error.ts';
import { lastFrame, type RequestContext, type Rules, unusualValue } from '../contexts.ts';

/** How many images per second ffmpeg reads without `framerate`. */
const DEFAULT_RATE = 25;

/** Filters that make one image of a whole input. */
const ONE_IMAGE: ReadonlySet<string> = new Set(['palettegen', 'showwavespic', 'showspectrumpic']);

const SEVERAL: ReadonlySet<string> = new Set(['fps', 'select', 'framestep', 'mpdecimate']);

/** Encoders of animations, and the formats that store all their frames. */
const ANIMATED = wordPairs('apng apng gif gif libwebp_anim webp');

/** Warns that only the last frame remains: this service adds `update`, so each frame overwrites it. Plain ffmpeg fails at frame 2. */
function lastFrameOnly({ options, opened, formatField }: RequestContext, output: MediaPath) {
  const isVideo = opened.some(
    ({ source }) => source.sequence !== undefined || isVideoExtension(extension(source.path)),
  );
  const frames = options.find(({ name }) => name.name === 'frames');
  const isOne = frames !== undefined && !(Number(frames.values[0]) > 1);
  // With `update`, the client asks for exactly this.
  const isChosen = isOne || options.some(({ name }) => name.name === 'update');
  const filters = allFilters(options);
  if (!isVideo || isChosen || filters.some(({ name }) => ONE_IMAGE.has(name))) return undefined;
  const counter = meantCounter(output);
  if (counter !== undefined)
    return lastFrame(
      `The output is one image: ${quoted(counter.placeholder)} in its name is not a counter, so only the last frame is kept.`,
      sendValue(counter.meant),
      { field: '/output' },
    );
  const encoder = lastValue('c:v', options) ?? lastValue('c', options) ?? '';
  const animated = ANIMATED.get(encoder);
  if (animated !== undefined)
    return lastFrame(
      `The output is one image, the last frame: its name says a format for images, although ${encoder} encodes animations.`,
      formatField === '/output'
        ? addOption('format', animated)
        : sendOption(formatField === '/format' ? 'format' : 'f', animated),
      { field: formatField },
    );
  const wantsMany = filters.some(({ name }) => SEVERAL.has(name)) || options.some(({ key }) => key === 'r');
  return lastFrame(
    'The output is one image: of all frames of the input, only the last is kept.',
    wantsMany
      ? `For all frames, send an output with a counter: ${quoted(withCounter(output))}. For the first, "frames:v": "1".`
      : 'Send "frames:v": "1" for the first frame, with "ss" for a later one.',
    { field: '/output' },
  );
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
      return unusualValue(
        `"r" is the frame rate of the output: the images are read at ${DEFAULT_RATE} per second, and most are ${number < DEFAULT_RATE ? 'left out' : 'repeated'}.`,
        sendOption('framerate', value),
        { field: rate.field },
      );
    },
  },

  'last-frame-only': {
    finds: 'a video that becomes one image, so that only its last frame is kept',
    plan: (context) => context.singleImage && lastFrameOnly(context, context.singleImage),
    run({ pass: { lastBlock }, options }) {
      const frames = lastBlock?.frame ?? 0;
      if (!options.replacesImage || frames < 2) return [];
      return lastFrame(
        `The output is one image: of ${frames} frames, only the last is kept.`,
        { ...addOption('frames:v', '1'), note: 'That is the first frame. For a later one, send "ss" too.' },
        { field: '/output' },
      );
    },
  },
};
