import { addOption, sendOption } from '@telecine/contract/domain/edit.ts';
import { isLostTag, languageTag, STREAM_LANGUAGES, TAG_LISTS } from '../../allowlist/stored-tags.ts';
import { type ArgvOption, oneOrList, sentName } from '../../plan/request/argv-option.ts';
import { type Finding, noEffect, type Rules, unusualValue } from '../rule.ts';

const LANGUAGE = /^(?:lang|language)\s*=/i;

/** From this release on, ffmpeg drops the tag `rotate`. Before, it wrote a display matrix (tested with 5.1 and 7.1). */
const ROTATE_DROPPED_SINCE = 7;

const isOfFile = ({ name }: ArgvOption): boolean => (name.specifier ?? 'g') === 'g';

/** Looks at each `metadata` of a request. */
const eachTag = (
  options: readonly ArgvOption[],
  find: (option: ArgvOption) => Finding | undefined,
): readonly Finding[] => options.flatMap((option) => (option.name.name === 'metadata' ? (find(option) ?? []) : []));

export const TAG_RULES: Rules = {
  'language-tags': {
    finds: 'a language of a stream that is not a code, has another name than `language`, or is a tag of the whole file',
    plan({ options, muxer }) {
      const isNamed = options.some(
        ({ key, values }) => key.startsWith('metadata:s') && values.some((one) => LANGUAGE.test(one)),
      );
      return eachTag(options, (option) => {
        const ofFile = isOfFile(option) ? option.values.find((value) => LANGUAGE.test(value.trim())) : undefined;
        if (ofFile !== undefined && STREAM_LANGUAGES.has(muxer) && !isNamed)
          return unusualValue(
            `${JSON.stringify(ofFile)} is a tag of the whole file, which players do not read: a language belongs to a stream.`,
            `Send "metadata:s:a:0": "language=…" with a code of three letters instead.`,
            { field: option.field },
          );
        const wrong = option.values.find((value) => languageTag(value, muxer) !== undefined);
        if (isOfFile(option) || wrong === undefined) return undefined;
        return unusualValue(
          `Players do not read ${JSON.stringify(wrong)} as a language: the tag is "language", and its value a code of three letters.`,
          sendOption(sentName(option), oneOrList(option.values.map((value) => languageTag(value, muxer) ?? value))),
          { field: option.field },
        );
      });
    },
  },

  'unsupported-tags': {
    finds: 'a tag that the container does not store',
    plan({ options, muxer }) {
      const format = TAG_LISTS[muxer];
      const movflags = options.find(({ name }) => name.name === 'movflags')?.values[0];
      const storesAll = /\buse_metadata_tags\b/.test(movflags ?? '');
      if (format === undefined || storesAll || options.some(({ key }) => key === 'write_bext')) return [];
      return eachTag(options, (option) => {
        const lost = isOfFile(option) ? option.values.filter((value) => isLostTag(value, format)) : [];
        if (lost.length === 0) return undefined;
        const names = lost.map((tag) => JSON.stringify(tag.slice(0, tag.indexOf('=')).trim().slice(0, 40)));
        return noEffect(
          `${format.name} stores only the tags of a list, so ffmpeg drops ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
          format.instead === undefined
            ? addOption('movflags', movflags === undefined ? 'use_metadata_tags' : `${movflags}+use_metadata_tags`)
            : `Send an output that ends in ${format.instead}, which stores every tag.`,
          { field: option.field },
        );
      });
    },
  },

  'rotation-tags': {
    finds: 'the tag `rotate`, which ffmpeg drops from release 7 on',
    plan: ({ options, catalogue: { build } }) =>
      eachTag(options, (option) => {
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
      }),
  },
};
