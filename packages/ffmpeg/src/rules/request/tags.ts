import { sentName } from '../../plan/request/argv-option.ts';
import { noEffect, type Rules } from '../rule.ts';

/** From this release on, ffmpeg drops the tag `rotate`. Before, it wrote a display matrix (tested with 5.1 and 7.1). */
const ROTATE_DROPPED_SINCE = 7;

export const TAG_RULES: Rules = {
  'rotation-tags': {
    finds: 'the tag `rotate`, which ffmpeg drops from release 7 on',
    about: ['metadata'],
    plan: ({ options, catalogue: { build } }) =>
      options.flatMap((option) => {
        const { name, values, field } = option;
        const isOfStream = name.name === 'metadata' && name.specifier !== undefined && name.specifier !== 'g';
        const degrees = values.flatMap((value) => /^\s*rotate\s*=\s*(-?\d{1,4})\s*$/.exec(value)?.[1] ?? []).at(-1);
        const isDropped = isOfStream && (build.release?.[0] ?? 0) >= ROTATE_DROPPED_SINCE;
        if (!isDropped || degrees === undefined || Number(degrees) % 360 === 0) return [];
        return noEffect(
          `"${sentName(option)}" does not turn the video: the installed ffmpeg drops the tag "rotate", as releases from ${ROTATE_DROPPED_SINCE} on do.`,
          `Leave it out, and send "display_rotation": "${degrees}" in the "parameters" of the input.`,
          { field },
        );
      }),
  },
};
