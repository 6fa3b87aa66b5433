import { MEDIA_STREAM_TYPES, type MediaStream } from '../../domain/media-info.ts';
import {
  definedMembers,
  type Fields,
  isFields,
  numberField,
  objectsIn,
  parseFrameRate,
  textField,
  wholeNumberField,
} from './fields.ts';
import type { TagReader } from './tag-reader.ts';

const MAX_SIDE_DATA = 20;

/** @param at The position of the stream in the list, used as the index if ffprobe reports none. */
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

/** Returns the language, or undefined if it is "und", the ISO 639 code for an undetermined language. */
function languageOf(tags: Fields): string | undefined {
  const language = textField(tags, 'language');
  return language === 'und' ? undefined : language;
}

/** ffprobe prints bytes that are not printable as numbers in brackets. `[0][0][0][0]` means that there is no tag. */
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
  // Adding 0 turns -0 into 0.
  return degrees === undefined ? undefined : degrees + 0;
}

function sideData(from: Fields): Partial<MediaStream> {
  const kinds = objectsIn(from['side_data_list']).flatMap((side) => textField(side, 'side_data_type') ?? []);
  return kinds.length === 0 ? {} : { sideData: kinds.slice(0, MAX_SIDE_DATA) };
}
