import { sendOption } from '@telecine/contract/domain/edit.ts';
import { languageTag } from '../../allowlist/stored-tags.ts';
import { type ArgvOption, oneOrList, sentName } from '../../plan/request/argv-option.ts';
import { type Finding, noEffect, type RequestContext, type Rule, type Rules, unusualValue } from '../rule.ts';

/** From this release on, ffmpeg drops the tag `rotate`. Before, it wrote a display matrix (tested with 5.1 and 7.1). */
const ROTATE_DROPPED_SINCE = 7;

const isOfFile = ({ name }: ArgvOption): boolean => (name.specifier ?? 'g') === 'g';

/** A rule that looks at each `metadata` of a request. */
const eachTag = (finds: string, find: (option: ArgvOption, context: RequestContext) => Finding | undefined): Rule => ({
  finds,
  about: ['metadata'],
  plan: (context) => context.options.flatMap((one) => (one.name.name === 'metadata' ? (find(one, context) ?? []) : [])),
});

export const TAG_RULES: Rules = {
  'language-tags': eachTag(
    'a language of a stream that is not a code, or has another name than `language`',
    (option, { muxer }) => {
      const wrong = option.values.find((value) => languageTag(value, muxer) !== undefined);
      if (isOfFile(option) || wrong === undefined) return undefined;
      return unusualValue(
        `Players do not read ${JSON.stringify(wrong)} as a language: the tag is "language", and its value a code of three letters.`,
        sendOption(sentName(option), oneOrList(option.values.map((value) => languageTag(value, muxer) ?? value))),
        { field: option.field },
      );
    },
  ),

  'rotation-tags': eachTag(
    'the tag `rotate`, which ffmpeg drops from release 7 on',
    (option, { catalogue: { build } }) => {
      const degrees = option.values
        .flatMap((value) => /^\s*rotate\s*=\s*(-?\d{1,4})\s*$/.exec(value)?.[1] ?? [])
        .at(-1);
      const isDropped = (build.release?.[0] ?? 0) >= ROTATE_DROPPED_SINCE && !isOfFile(option);
      if (!isDropped || degrees === undefined || Number(degrees) % 360 === 0) return undefined;
      return noEffect(
        `The installed ffmpeg drops the tag "rotate", as releases from ${ROTATE_DROPPED_SINCE} on do: the video is not turned.`,
        `Leave it out, and send "display_rotation": "${degrees}" in the "parameters" of the input.`,
        { field: option.field },
      );
    },
  ),
};
