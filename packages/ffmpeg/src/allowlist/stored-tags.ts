import { wordPairs, wordSet } from './words.ts';

/** Formats without chapters. */
export const WITHOUT_CHAPTERS = wordSet(
  'adts wav w64 flac ac3 eac3 dts aiff mp2 tta wv caf au spx amr avi mpegts flv mpeg vob dvd mxf',
);

/** Formats of media without tags. */
export const WITHOUT_TAGS = wordSet('adts ac3 eac3 dts mp2 amr mpeg vob dvd mxf');

/** The tags that MP4 stores (libavformat/movenc.c, tested with ffmpeg 5.1 and 7.1). */
const MP4 = wordSet(
  'title artist album_artist composer album date comment genre copyright grouping lyrics description synopsis show ' +
    'episode_id network keywords episode_sort season_number media_type hd_video gapless_playback compilation track disc ' +
    'tmpo location creation_time timecode encoder encoding_tool',
);
const MOV = wordSet(
  'title artist author album date comment genre copyright make model location keywords xmp creation_time timecode encoder',
);
/** The tags that AVI and WAV store (libavformat/riff.c), besides their native names of four capital letters, such as `ISBJ`. */
const RIFF = wordSet(
  'title artist album comment copyright date genre language encoded_by encoder timecode track product software',
);

/** A format that drops tags outside a list. */
export interface TagList {
  readonly name: string;
  readonly stored: ReadonlySet<string>;
}

export const TAG_LISTS: Readonly<Record<string, TagList>> = {
  mp4: { name: 'MP4', stored: MP4 },
  ipod: { name: 'MP4', stored: MP4 },
  mov: { name: 'MOV', stored: MOV },
  avi: { name: 'AVI', stored: RIFF },
  wav: { name: 'WAV', stored: RIFF },
  mpegts: { name: 'MPEG-TS', stored: wordSet('title service_name service_provider') },
};

/** Tags that people give a file. Programs write the others. */
const OF_PEOPLE = wordSet(
  'title artist album album_artist composer date comment genre track disc copyright description',
);

/** Returns the usual name of a tag that people give a file: `title` for `TITLE`. undefined: another tag. */
export function storedTagOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return OF_PEOPLE.has(lower) ? lower : undefined;
}

/** Tags that `lostTag` skips: ffmpeg itself sets them for a stream or the file type. */
const OTHER_MEANING = /^(?:rotate|handler_name|vendor_id|(?:major|compatible)_brands?|minor_version)$/;

/**
 * The name of a tag (`name=value`) that the format drops. The name can end with a language (`title-deu`). undefined: the format stores it, or
 * it has no value, which only removes a tag of the input.
 */
export function lostTag(tag: string, { stored, name }: TagList): string | undefined {
  const [, text = ''] = /^([^=]+)=\s*\S/.exec(tag) ?? [];
  const key = text.trim();
  const isNative = (name === 'AVI' || name === 'WAV') && /^[A-Z]{3}[A-Z0-9]$/.test(key);
  const isStored = stored.has(key.toLowerCase().replace(/-[a-z]{3}$/, ''));
  return key === '' || OTHER_MEANING.test(key.toLowerCase()) || isNative || isStored ? undefined : key;
}

/** Codes of languages, and the code for which the MOV muxer has one of the Macintosh (`mov_mdhd_language_map`). MP4 holds all codes. */
const MOV_LANGUAGES = wordPairs(
  'deu ger nld dut ell gre isl ice zho chi sqi alb mkd mac hye arm kat geo bod tib mya bur msa may cym wel eus baq ' +
    'swe sve cze ces slo slk rum ron fre fra fas per nob nor nno nor',
);

/** A tag of a stream with the code of its language that the MOV muxer knows. */
export const movLanguage = (tag: string): string =>
  tag.replace(/^language=(\w{3})$/, (_all, code: string) => `language=${MOV_LANGUAGES.get(code) ?? code}`);

/** Formats that store a language as three letters, and so lose the `en` of Matroska. */
const WITH_THREE_LETTERS = /^(?:mp4|mov|ipod|psp|3g[p2]|f4v|ismv|mpegts)$/;

export const losesLanguage = (muxer: string, language = 'und'): boolean =>
  (muxer === 'mov' && MOV_LANGUAGES.has(language)) || (WITH_THREE_LETTERS.test(muxer) && !/^[a-z]{3}/.test(language));
