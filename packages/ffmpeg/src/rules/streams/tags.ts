import { addOption, type Edits, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import {
  isLostTag,
  languageTag,
  MEANT_TAGS,
  STREAM_LANGUAGES,
  TAG_LISTS,
  type TagList,
  WITHOUT_CHAPTERS,
} from '../../allowlist/stored-tags.ts';
import { type ArgvOption, oneOrList, sentName } from '../../plan/request/argv-option.ts';
import { noEffect, type Rules, unusualValue } from '../contexts.ts';
import { ofKind } from '../facts/converted-streams.ts';
import { KINDS, letterOf } from '../facts/media-facts.ts';

const STREAM_TAGS = 'metadata:s:a:0';

const LANGUAGE = /^(?:lang|language)\s*=/i;

const namesLanguage = ({ name, values }: ArgvOption): boolean =>
  name.name === 'metadata' &&
  name.specifier?.startsWith('s') === true &&
  values.some((value) => LANGUAGE.test(value.trim()));

/** Matches `title="My film"`: quotes around the whole text, which only a shell would remove. Quotes inside a title are meant. */
const QUOTED = /^([^=]+)=(["'])((?:(?!\2).)+)\2$/s;

const keyOf = (tag: string): string => tag.slice(0, tag.indexOf('=')).trim().slice(0, 40);

/** Returns the fix that renames the tags, such as `year` to `date`. undefined: not all of them have a name that the format stores. */
function renamed(option: ArgvOption, lost: readonly string[], { stored }: TagList): Edits | undefined {
  const drops = new Set(lost);
  const taken = new Set(option.values.map((value) => keyOf(value).toLowerCase()));
  const meant = option.values.map((value) => {
    const key = drops.has(value) ? MEANT_TAGS.get(keyOf(value).toLowerCase()) : undefined;
    return key === undefined || !stored.has(key) || taken.has(key) ? value : `${key}${value.slice(value.indexOf('='))}`;
  });
  if (meant.some((value) => drops.has(value))) return undefined;
  return sendOption(sentName(option), oneOrList(meant));
}

function storing({ instead }: TagList, movflags: ArgvOption | undefined): Hint {
  if (instead !== undefined) return `Send an output that ends in ${instead}, which stores every tag.`;
  const [flags] = movflags?.values ?? [];
  const all = flags === undefined ? 'use_metadata_tags' : `${flags}+use_metadata_tags`;
  return addOption('movflags', all);
}

/** From this release on, ffmpeg drops the tag `rotate`. Before, it wrote a display matrix (tested with 5.1 and 7.1). */
const DROPPED_SINCE = 7;

export const TAG_RULES: Rules = {
  'file-language': {
    finds: 'a language of the whole file, where players read the language of each stream',
    about: ['metadata'],
    plan: ({ options, muxer }) =>
      (STREAM_LANGUAGES.has(muxer) ? options : []).flatMap((option) => {
        const { name, values } = option;
        if (name.name !== 'metadata' || (name.specifier !== undefined && name.specifier !== 'g')) return [];
        const at = values.findIndex((value) => LANGUAGE.test(value.trim()));
        const value = values[at]?.trim();
        if (value === undefined || options.some((one) => namesLanguage(one))) return [];
        const meant = languageTag(value, muxer) ?? value.toLowerCase();
        const ofStream = options.find((one) => sentName(one) === STREAM_TAGS)?.values ?? [];
        const others = values.filter((_one, index) => index !== at);
        return unusualValue(
          `${JSON.stringify(value)} is a tag of the whole file, which players do not read: a language belongs to a stream.`,
          sendMembers({
            ...(others.length > 0 && { [sentName(option)]: oneOrList(others) }),
            [STREAM_TAGS]: ofStream.length === 0 ? meant : [...ofStream, meant],
          }),
          { field: option.field },
        );
      }),
  },

  'language-tags': {
    finds: 'a language of a stream that is not a code, or is under another name than `language`',
    about: ['metadata'],
    option: (context) => (option) => {
      const { name, values } = option;
      const at = values.findIndex((value) => languageTag(value, context.muxer) !== undefined);
      if (!name.specifier?.startsWith('s') || at < 0) return [];
      const corrected = values.map((value) => languageTag(value, context.muxer) ?? value);
      return unusualValue(
        `Players do not read ${JSON.stringify(values[at])} as a language: the tag is "language", and its value a code of three letters.`,
        sendOption(sentName(option), oneOrList(corrected)),
      );
    },
  },

  'unsupported-tags': {
    finds: 'a tag that the container does not store',
    about: ['metadata'],
    option({ options, muxer }) {
      const format = TAG_LISTS[muxer];
      const movflags = options.find(({ name }) => name.name === 'movflags');
      const storesAll = /\buse_metadata_tags\b/.test(movflags?.values[0] ?? '');
      if (format === undefined || storesAll || options.some(({ key }) => key === 'write_bext')) return () => [];
      return (option) => {
        const { name, values } = option;
        if ((name.specifier ?? 'g') !== 'g') return [];
        const lost = values.filter((value) => isLostTag(value, format));
        if (lost.length === 0) return [];
        const names = lost.map((value) => JSON.stringify(keyOf(value)));
        return noEffect(
          `${format.name} stores only the tags of a list, so ffmpeg drops ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
          renamed(option, lost, format) ?? storing(format, movflags),
        );
      };
    },
  },

  'quoted-tags': {
    finds: 'quotes around the text of a tag, which become a part of it',
    about: ['metadata'],
    option: () => (option) => {
      const quoted = option.values.find((value) => QUOTED.test(value));
      if (quoted === undefined) return [];
      const meant = option.values.map((value) => value.replace(QUOTED, '$1=$3'));
      return unusualValue(
        `The quotes in ${JSON.stringify(quoted.slice(0, 100))} become a part of the tag: no shell removes them.`,
        sendOption(sentName(option), oneOrList(meant)),
      );
    },
  },

  'rotation-tags': {
    finds: 'the tag `rotate`, which ffmpeg drops from release 7 on',
    about: ['metadata'],
    option: (context) => (option) => {
      const { name, values } = option;
      if ((context.catalogue.build.release?.[0] ?? 0) < DROPPED_SINCE || !name.specifier?.startsWith('s')) return [];
      const degrees = values.flatMap((value) => /^\s*rotate\s*=\s*(-?\d{1,4})\s*$/.exec(value)?.[1] ?? []).at(-1);
      if (degrees === undefined || Number(degrees) % 360 === 0) return [];
      return noEffect(
        `The installed ffmpeg drops the tag "rotate", as releases from ${DROPPED_SINCE} on do: the video is not turned.`,
        `Leave it out, and send "display_rotation": "${degrees}" in the "parameters" of the input.`,
      );
    },
  },

  /** The request makes a stream the default, although the input already has a default stream of this kind. */
  'several-defaults': {
    finds: 'a second default stream of the same kind',
    run({ facts, pass: { outputStreams } }) {
      return KINDS.flatMap((kind) => {
        const optionOf = (number: number): string => `disposition:${letterOf(kind)}:${number}`;
        const defaults = ofKind(outputStreams, kind).flatMap(({ disposition }, number) =>
          disposition?.includes('default') ? [number] : [],
        );
        const asked = defaults.find((number) => facts.argumentOf(optionOf(number))?.includes('default'));
        const others = defaults.filter((number) => facts.argumentOf(optionOf(number)) === undefined);
        const [other] = others;
        if (asked === undefined || other === undefined) return [];
        return noEffect(
          `"${optionOf(asked)}" makes this stream the default, but ${letterOf(kind)}:${other} is the default too, so players may choose that one.`,
          { edits: others.map((number) => ({ do: 'add', name: optionOf(number), value: '0' })) },
          { key: optionOf(asked) },
        );
      });
    },
  },

  'dropped-chapters': {
    finds: 'chapters of an input that the format does not hold',
    files({ facts }) {
      const { inputs, output, span } = facts.plan;
      const count = facts.inputs[0]?.chapters ?? 0;
      const isWhole = (span.output.start ?? 0) === 0 && span.output.duration === undefined;
      if (count < 2 || !isWhole || !WITHOUT_CHAPTERS.has(output.muxer) || facts.has('map_chapters')) return [];
      return {
        field: inputs[0]?.field ?? '',
        code: 'UNUSED_STREAM',
        message: `The ${count} chapters of ${facts.pathOf(0)} do not get into the output: this format holds none.`,
        fix: 'Send an output that ends with ".m4a" or ".mka" to keep them, or "map_chapters": "-1" if they are not needed.',
      };
    },
  },
};
