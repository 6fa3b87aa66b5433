import { definedMembers } from '@telecine/contract/domain/defined.ts';
import { MEDIA_STREAM_TYPES, type MediaStream, type Tags } from '@telecine/contract/domain/media-info.ts';
import { plainText } from '@telecine/contract/domain/text-validation.ts';

const MAX_SIDE_DATA = 20;

/** @param at The position of the stream in the list, which is its index if ffprobe reports none. */
export function readStream(from: Fields, at: number, reader: TagReader): MediaStream {
  const type = MEDIA_STREAM_TYPES.find((one) => one === from['codec_type']) ?? 'unknown';
  const disposition = dispositionOf(from['disposition']);
  const tags = reader.read(from['tags']);
  return {
    index: wholeNumberField(from, 'index') ?? at,
    type,
    ...definedMembers<Partial<MediaStream>>({
      codec: textField(from, 'codec_name'),
      codecDescription: textField(from, 'codec_long_name'),
      codecTag: codecTag(from),
      profile: textField(from, 'profile'),
      level: wholeNumberField(from, 'level', 1),
      id: textField(from, 'id'),
      language: languageOf(tags),
      title: textField(tags, 'title'),
      durationSeconds: numberField(from, 'duration'),
      startSeconds: numberField(from, 'start_time'),
      bitRate: wholeNumberField(from, 'bit_rate', 1),
      frameCount: wholeNumberField(from, 'nb_frames', 1),
      timeBase: textField(from, 'time_base'),
    }),
    disposition,
    ...(type === 'video' ? { ...video(from), isAttachedPicture: disposition.includes('attached_pic') } : {}),
    ...(type === 'audio' ? audio(from) : {}),
    ...sideData(from),
    tags,
  };
}

function video(from: Fields): Partial<MediaStream> {
  const exact = textField(from, 'avg_frame_rate');
  const rate = parseFrameRate(exact);
  return definedMembers<Partial<MediaStream>>({
    width: wholeNumberField(from, 'width', 1),
    height: wholeNumberField(from, 'height', 1),
    codedWidth: wholeNumberField(from, 'coded_width', 1),
    codedHeight: wholeNumberField(from, 'coded_height', 1),
    sampleAspectRatio: aspect(from, 'sample_aspect_ratio'),
    displayAspectRatio: aspect(from, 'display_aspect_ratio'),
    frameRate: rate,
    frameRateExact: rate === undefined ? undefined : exact,
    baseFrameRate: parseFrameRate(textField(from, 'r_frame_rate')),
    pixelFormat: textField(from, 'pix_fmt'),
    bitDepth: wholeNumberField(from, 'bits_per_raw_sample', 1),
    colorRange: textField(from, 'color_range'),
    colorSpace: textField(from, 'color_space'),
    colorTransfer: textField(from, 'color_transfer'),
    colorPrimaries: textField(from, 'color_primaries'),
    chromaLocation: textField(from, 'chroma_location'),
    fieldOrder: textField(from, 'field_order'),
    rotationDegrees: rotation(from),
  });
}

const audio = (from: Fields): Partial<MediaStream> =>
  definedMembers<Partial<MediaStream>>({
    sampleRate: wholeNumberField(from, 'sample_rate', 1),
    sampleFormat: textField(from, 'sample_fmt'),
    channels: wholeNumberField(from, 'channels', 1),
    channelLayout: textField(from, 'channel_layout'),
    bitDepth: wholeNumberField(from, 'bits_per_raw_sample', 1) ?? wholeNumberField(from, 'bits_per_sample', 1),
  });

/** "und" is the ISO 639 code for an undetermined language. */
function languageOf(tags: Fields): string | undefined {
  const language = textField(tags, 'language');
  return language === 'und' ? undefined : language;
}

/** Returns the tag of the codec (`avc1`). undefined: `[0][0][0][0]`, with which ffprobe says that there is none. */
function codecTag(from: Fields): string | undefined {
  const tag = textField(from, 'codec_tag_string');
  return tag === '[0][0][0][0]' ? undefined : tag;
}

function aspect(from: Fields, key: string): string | undefined {
  const text = textField(from, key);
  return text === '0:1' || text === '0:0' ? undefined : text;
}

const dispositionOf = (found: unknown): readonly string[] =>
  isFields(found) ? Object.keys(found).filter((name) => found[name] === 1) : [];

function rotation(from: Fields): number | undefined {
  const rotations = objectsIn(from['side_data_list']).map((side) => numberField(side, 'rotation'));
  const degrees = rotations.find((value) => value !== undefined);
  // Turns -0 into 0.
  return degrees === undefined ? undefined : degrees + 0;
}

function sideData(from: Fields): Partial<MediaStream> {
  const kinds = objectsIn(from['side_data_list']).flatMap((side) => textField(side, 'side_data_type') ?? []);
  return kinds.length === 0 ? {} : { sideData: kinds.slice(0, MAX_SIDE_DATA) };
}

/** An object in the output of ffprobe. A newer ffprobe may add, omit or change fields. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectsIn = (list: unknown): readonly Fields[] => (Array.isArray(list) ? list.filter(isFields) : []);

/** The maximum length of a text that ffprobe itself writes. The longest are descriptions of codecs. */
const MAX_TEXT_LENGTH = 200;

const UNKNOWN: ReadonlySet<string> = new Set(['', 'N/A', 'unknown', 'none', 'unspecified']);

/** undefined: ffprobe reports the value as unknown. */
export function textField(from: Fields, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' && !UNKNOWN.has(value) ? boundedText(value, MAX_TEXT_LENGTH) : undefined;
}

/** ffprobe writes numbers as numbers or as text. undefined: not a number. */
export function numberField(from: Fields, key: string): number | undefined {
  const value = from[key];
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** Returns a whole number of at least `min`. undefined: another value. `min` is 1 for fields in which ffprobe prints 0 for "unknown". */
export function wholeNumberField(from: Fields, key: string, min = 0): number | undefined {
  const value = numberField(from, key);
  return value !== undefined && Number.isSafeInteger(value) && value >= min ? value : undefined;
}

/** Reads a fraction such as `30000/1001` as a number with six decimals. undefined: `0/0`. */
function parseFrameRate(text: string | undefined): number | undefined {
  const [, over, under] = /^(\d+)\/(\d+)$/.exec(text ?? '') ?? [];
  const value = Number(over) / Number(under);
  return Number.isFinite(value) && value > 0 ? Math.round(value * 1e6) / 1e6 : undefined;
}

/** The limits for the tags of one file. Ordinary files have far fewer. */
const MAX_TAGS = 64;
const MAX_NAME_LENGTH = 100;
const MAX_VALUE_LENGTH = 2000;
const MAX_CHARACTERS = 200_000;

/** Cuts a text to `maxLength` characters, and only then (a tag can have megabytes) replaces control and bidirectional ones. */
const boundedText = (text: string, maxLength: number): string =>
  text.length <= maxLength ? plainText(text) : `${plainText(text.slice(0, maxLength - 1)).toWellFormed()}…`;

/** Reads the tags of one file, up to a total length. */
export class TagReader {
  #remaining = MAX_CHARACTERS;
  #leftOut = 0;

  get leftOut(): number {
    return this.#leftOut;
  }

  read(found: unknown): Tags {
    if (typeof found !== 'object' || found === null) return {};
    const entries = Object.entries(found).filter(([, value]) => typeof value === 'string');
    const tags: [string, string][] = [];
    for (const [name, value] of entries) {
      const size = Math.min(name.length, MAX_NAME_LENGTH) + Math.min(value.length, MAX_VALUE_LENGTH);
      if (tags.length >= MAX_TAGS || size > this.#remaining) this.#leftOut += 1;
      else {
        this.#remaining -= size;
        tags.push([boundedText(name, MAX_NAME_LENGTH), boundedText(value, MAX_VALUE_LENGTH)]);
      }
    }
    return Object.fromEntries(tags);
  }
}
