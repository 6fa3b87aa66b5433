import { addOption, type Edits, sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { LANGUAGE_CODES } from '@telecine/contract/domain/transcription.ts';
import { type ArgvOption, oneOrList, sentName } from '../../plan/request/argv-option.ts';
import type { Rules } from '../contexts.ts';
import { ofKind } from '../facts/converted-streams.ts';
import { KINDS, letterOf } from '../facts/media-facts.ts';

/** Formats that store a language only as a code of three letters. */
const THREE_LETTERS: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod', 'mpegts', '3gp', '3g2']);

/** Returns the intended tag for a language that players do not recognise: `lang=german`. undefined: the tag is correct. */
function meantTag(value: string, muxer: string): string | undefined {
  const [, key = '', language = ''] = /^(lang|language)\s*=\s*([A-Za-z]{2,12})$/i.exec(value.trim()) ?? [];
  if (key === '') return undefined;
  const lower = language.toLowerCase();
  const isCode = lower.length === 3 || (lower.length === 2 && !THREE_LETTERS.has(muxer));
  const code = isCode ? lower : LANGUAGE_CODES.get(lower);
  const tag = code === undefined ? undefined : `language=${code}`;
  return tag === value.trim() ? undefined : tag;
}

/** Formats that store a language for each stream. Tags of songs, such as ID3, store one language for the whole file. */
const STREAM_LANGUAGES = new Set([...THREE_LETTERS, 'matroska', 'webm', 'avi', 'nut', 'hls', 'dash']);

const STREAM_TAGS = 'metadata:s:a:0';

const LANGUAGE = /^(?:lang|language)\s*=/i;

const namesLanguage = ({ name, values }: ArgvOption): boolean =>
  name.name === 'metadata' &&
  name.specifier?.startsWith('s') === true &&
  values.some((value) => LANGUAGE.test(value.trim()));

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** The tags that MP4 stores in its iTunes list. Source: libavformat/movenc.c, and tests with ffmpeg 5.1 and 7.1. */
const MP4 = words(
  'title artist album_artist composer album date comment genre copyright grouping lyrics description synopsis show ' +
    'episode_id network keywords episode_sort season_number media_type hd_video gapless_playback compilation track disc ' +
    'tmpo location creation_time timecode encoder encoding_tool',
);
const MOV = words(
  'title artist author album date comment genre copyright make model location keywords xmp creation_time timecode encoder',
);
/** The tags that RIFF stores (libavformat/riff.c). The native names have four capital letters, such as `ISBJ`. */
const RIFF = words(
  'title artist album comment copyright date genre language encoded_by encoder timecode track product software',
);

/** A format that stores only some tags of a file. */
interface TagList {
  readonly name: string;
  readonly stored: ReadonlySet<string>;
  /** The extension of a format that stores every tag. undefined: with `movflags`, this format stores every tag. */
  readonly instead?: string;
}

const FORMATS: Readonly<Record<string, TagList>> = {
  mp4: { name: 'MP4', stored: MP4 },
  ipod: { name: 'MP4', stored: MP4 },
  mov: { name: 'MOV', stored: MOV },
  avi: { name: 'AVI', stored: RIFF, instead: '.mkv' },
  wav: { name: 'WAV', stored: RIFF, instead: '.mka' },
  mpegts: { name: 'MPEG-TS', stored: words('title service_name service_provider'), instead: '.mkv' },
};

/** Names that have their own warning, or that are not text tags of a file because they describe streams. */
const OTHER_MEANING = /^(?:lang|language|rotate|handler_name|vendor_id|(?:major|compatible)_brands?|minor_version)$/;

/** Common other names, and the names under which the formats store these tags. */
const MEANT: Readonly<Record<string, string>> = {
  year: 'date',
  tracknumber: 'track',
  track_number: 'track',
  discnumber: 'disc',
  albumartist: 'album_artist',
  author: 'artist',
  performer: 'artist',
  name: 'title',
};

/** Matches a tag whose whole text is in quotes. On a command line, a shell would remove them. Quotes inside a title are intended. */
const QUOTED = /^([^=]+)=(["'])((?:(?!\2).)+)\2$/s;

const keyOf = (tag: string): string => tag.slice(0, tag.indexOf('=')).trim().slice(0, 40);

/** A tag without a value removes a tag of the input, so it is not lost. The name of a tag can end with a language: `title-deu`. */
function isLost(tag: string, { stored, name }: TagList): boolean {
  const [, text = ''] = /^([^=]+)=\s*\S/.exec(tag) ?? [];
  const key = text.trim();
  if (key === '' || OTHER_MEANING.test(key.toLowerCase())) return false;
  if ((name === 'AVI' || name === 'WAV') && /^[A-Z]{3}[A-Z0-9]$/.test(key)) return false;
  return !stored.has(key.toLowerCase().replace(/-[a-z]{3}$/, ''));
}

/** Returns the fix that renames the tags. undefined: the format does not store all of them under other names. */
function renamed(option: ArgvOption, lost: readonly string[], { stored }: TagList): Edits | undefined {
  const isLostTag = new Set(lost);
  const taken = new Set(option.values.map((value) => keyOf(value).toLowerCase()));
  const meant = option.values.map((value) => {
    const key = isLostTag.has(value) ? MEANT[keyOf(value).toLowerCase()] : undefined;
    return key === undefined || !stored.has(key) || taken.has(key) ? value : `${key}${value.slice(value.indexOf('='))}`;
  });
  if (meant.some((value) => isLostTag.has(value))) return undefined;
  return sendOption(sentName(option), oneOrList(meant));
}

function storing({ instead }: TagList, movflags: ArgvOption | undefined): Hint {
  if (instead !== undefined) return `Send an output that ends in ${instead}, which stores every tag.`;
  const [flags] = movflags?.values ?? [];
  const all = flags === undefined ? 'use_metadata_tags' : `${flags}+use_metadata_tags`;
  return addOption('movflags', all);
}

/** The first ffmpeg release that drops the tag. Earlier releases wrote it as a display matrix. Tested with 5.1 and 7.1. */
const DROPPED_SINCE = 7;

const WITHOUT_CHAPTERS: ReadonlySet<string> = new Set('adts wav w64 ac3 eac3 dts aiff mp2'.split(' '));

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
        const meant = meantTag(value, muxer) ?? value.toLowerCase();
        const ofStream = options.find((one) => sentName(one) === STREAM_TAGS)?.values ?? [];
        const others = values.filter((_one, index) => index !== at);
        return {
          field: option.field,
          code: 'UNUSUAL_VALUE',
          message: `${JSON.stringify(value)} is a tag of the whole file, which players do not read: a language belongs to a stream.`,
          fix: sendMembers({
            ...(others.length > 0 && { [sentName(option)]: oneOrList(others) }),
            [STREAM_TAGS]: ofStream.length === 0 ? meant : [...ofStream, meant],
          }),
        };
      }),
  },

  'language-tags': {
    finds: 'a language of a stream that is not a code, or is under another name than `language`',
    about: ['metadata'],
    option:
      ({ muxer }) =>
      (option) => {
        const { name, values } = option;
        const at = values.findIndex((value) => meantTag(value, muxer) !== undefined);
        if (!name.specifier?.startsWith('s') || at < 0) return [];
        const corrected = values.map((value) => meantTag(value, muxer) ?? value);
        return {
          code: 'UNUSUAL_VALUE',
          message: `Players do not read ${JSON.stringify(values[at])} as a language: the tag is "language", and its value a code of three letters.`,
          fix: sendOption(sentName(option), oneOrList(corrected)),
        };
      },
  },

  'unsupported-tags': {
    finds: 'a tag that the container does not store',
    about: ['metadata'],
    option({ options, muxer }) {
      const format = FORMATS[muxer];
      const movflags = options.find(({ name }) => name.name === 'movflags');
      const storesAll = /\buse_metadata_tags\b/.test(movflags?.values[0] ?? '');
      if (format === undefined || storesAll || options.some(({ key }) => key === 'write_bext')) return () => [];
      return (option) => {
        const { name, values } = option;
        if ((name.specifier ?? 'g') !== 'g') return [];
        const lost = values.filter((value) => isLost(value, format));
        if (lost.length === 0) return [];
        const names = lost.map((value) => JSON.stringify(keyOf(value)));
        return {
          code: 'NO_EFFECT',
          message: `${format.name} stores only the tags of a list, so ffmpeg drops ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
          fix: renamed(option, lost, format) ?? storing(format, movflags),
        };
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
      return {
        code: 'UNUSUAL_VALUE',
        message: `The quotes in ${JSON.stringify(quoted.slice(0, 100))} become a part of the tag: no shell removes them.`,
        fix: sendOption(sentName(option), oneOrList(meant)),
      };
    },
  },

  'rotation-tags': {
    finds: 'the tag `rotate`, which ffmpeg drops from release 7 on',
    about: ['metadata'],
    option:
      ({ catalogue: { build } }) =>
      ({ name, values }) => {
        if ((build.release?.[0] ?? 0) < DROPPED_SINCE || !name.specifier?.startsWith('s')) return [];
        const degrees = values.flatMap((value) => /^\s*rotate\s*=\s*(-?\d{1,4})\s*$/.exec(value)?.[1] ?? []).at(-1);
        if (degrees === undefined || Number(degrees) % 360 === 0) return [];
        return {
          code: 'NO_EFFECT',
          message: `The installed ffmpeg drops the tag "rotate", as releases from ${DROPPED_SINCE} on do: the video is not turned.`,
          fix: `Leave it out, and send "display_rotation": "${degrees}" in the "parameters" of the input.`,
        };
      },
  },

  /** The client sets one stream as the default. The input already has a default stream of this kind, so the output has several. */
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
        return {
          key: optionOf(asked),
          code: 'NO_EFFECT' as const,
          message: `"${optionOf(asked)}" makes this stream the default, but ${letterOf(kind)}:${other} is the default too, so players may choose that one.`,
          fix: { edits: others.map((number) => ({ do: 'add', name: optionOf(number), value: '0' })) },
        };
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
