import { JOIN_OR_MAP, joiningFix } from '@telecine/contract/domain/join.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { allFilters, sentName } from '../../plan/request/argv-option.ts';
import { isVideoExtension, withCounter } from '../../plan/request/format-names.ts';
import type { ArgvInput } from '../../plan/request/resolve-inputs.ts';
import { quoted } from '../../values/value-error.ts';
import { type Rules, unusedInput } from '../rule.ts';

const isVideoFile = ({ source, duration }: ArgvInput): boolean =>
  duration === undefined && isVideoExtension(extension(source.path));

/** Filters that make one image of a whole input. */
const ONE_IMAGE: ReadonlySet<string> = new Set(['palettegen', 'showwavespic', 'showspectrumpic']);

export const STREAM_RULES: Rules = {
  'unused-inputs': {
    finds: 'an input of which nothing gets into the output',
    plan({ options, opened }) {
      if (options.some(({ name }) => name.name === 'filter_complex' || name.name === 'map')) return [];
      const [, ...videos] = opened.filter(isVideoFile);
      const joining = joiningFix({
        copies: options.some(({ name, values }) => name.name === 'c' && values.at(-1) === 'copy'),
        dropped: options.filter(({ key }) => key === 'shortest').map(sentName),
      });
      const fix = opened.every(isVideoFile) ? joining : JOIN_OR_MAP;
      return videos.map(({ source }) =>
        unusedInput(
          'ffmpeg does not join several inputs by itself: it takes the best video and the best audio stream of all.',
          fix,
          { field: source.field },
        ),
      );
    },
  },

  /** This service adds `update`, so each frame overwrites the image. Plain ffmpeg fails at the second frame. */
  'last-frame-only': {
    finds: 'a video that becomes one image, so that only its last frame is kept',
    plan({ options, opened, singleImage }) {
      const isVideo = opened.some((one) => one.source.sequence !== undefined || isVideoFile(one));
      const frames = options.find(({ name }) => name.name === 'frames');
      const isOne = frames !== undefined && !(Number(frames.values[0]) > 1);
      // With `update`, the client asks for exactly this.
      const isChosen = isOne || options.some(({ name }) => name.name === 'update');
      if (singleImage === undefined || !isVideo || isChosen) return [];
      if (allFilters(options).some(({ name }) => ONE_IMAGE.has(name))) return [];
      return {
        field: '/output',
        code: 'LAST_FRAME',
        message: 'The output is one image: of all frames of the input, only the last is kept.',
        fix: `Send "frames:v": "1" for the first frame, with "ss" for a later one. For all frames, send an output with a counter: ${quoted(withCounter(singleImage))}.`,
      };
    },
  },
};
