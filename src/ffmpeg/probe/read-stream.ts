import { MEDIA_STREAM_TYPES, type MediaStream } from '../../domain/media-info.ts';
import { amount, count, type Fields, fieldsIn, given, isFields, ratio, word } from './fields.ts';
import type { TagReader } from './tag-reader.ts';

const MOST_SIDE_DATA = 20;

/** @param at Its place in the list, where ffprobe does not number it. */
export function readStream(from: Fields, at: number, reader: TagReader): MediaStream {
  const type = MEDIA_STREAM_TYPES.find((one) => one === from['codec_type']) ?? 'unknown';
  const disposition = dispositionOf(from['disposition']);
  const tags = reader.read(from['tags']);
  return {
    index: count(from, 'index') ?? at,
    type,
    ...given<Partial<MediaStream>>({
      codec: word(from, 'codec_name'),
      codecDescription: word(from, 'codec_long_name'),
      codecTag: codecTag(from),
      profile: word(from, 'profile'),
      level: count(from, 'level', 1),
      id: word(from, 'id'),
      language: language(tags),
      title: word(tags, 'title'),
      durationSeconds: amount(from, 'duration'),
      startSeconds: amount(from, 'start_time'),
      bitRate: count(from, 'bit_rate', 1),
      frameCount: count(from, 'nb_frames', 1),
      timeBase: word(from, 'time_base'),
    }),
    disposition,
    ...(type === 'video' ? { ...video(from), isAttachedPicture: disposition.includes('attached_pic') } : {}),
    ...(type === 'audio' ? audio(from) : {}),
    ...sideData(from),
    tags,
  };
}

function video(from: Fields): Partial<MediaStream> {
  const exact = word(from, 'avg_frame_rate');
  const rate = ratio(exact);
  return given<Partial<MediaStream>>({
    width: count(from, 'width', 1),
    height: count(from, 'height', 1),
    codedWidth: count(from, 'coded_width', 1),
    codedHeight: count(from, 'coded_height', 1),
    sampleAspectRatio: aspect(from, 'sample_aspect_ratio'),
    displayAspectRatio: aspect(from, 'display_aspect_ratio'),
    frameRate: rate,
    frameRateExact: rate === undefined ? undefined : exact,
    baseFrameRate: ratio(word(from, 'r_frame_rate')),
    pixelFormat: word(from, 'pix_fmt'),
    bitDepth: count(from, 'bits_per_raw_sample', 1),
    colorRange: word(from, 'color_range'),
    colorSpace: word(from, 'color_space'),
    colorTransfer: word(from, 'color_transfer'),
    colorPrimaries: word(from, 'color_primaries'),
    chromaLocation: word(from, 'chroma_location'),
    fieldOrder: word(from, 'field_order'),
    rotationDegrees: rotation(from),
  });
}

const audio = (from: Fields): Partial<MediaStream> =>
  given<Partial<MediaStream>>({
    sampleRate: count(from, 'sample_rate', 1),
    sampleFormat: word(from, 'sample_fmt'),
    channels: count(from, 'channels', 1),
    channelLayout: word(from, 'channel_layout'),
    bitDepth: count(from, 'bits_per_raw_sample', 1) ?? count(from, 'bits_per_sample', 1),
  });

/** ISO 639's word for "not determined" is none. */
function language(tags: Fields): string | undefined {
  const said = word(tags, 'language');
  return said === 'und' ? undefined : said;
}

/** Bytes that are no letters come in brackets: `[0][0][0][0]` is none. */
function codecTag(from: Fields): string | undefined {
  const tag = word(from, 'codec_tag_string');
  return tag === '[0][0][0][0]' ? undefined : tag;
}

function aspect(from: Fields, key: string): string | undefined {
  const text = word(from, key);
  return text === '0:1' || text === '0:0' ? undefined : text;
}

const dispositionOf = (found: unknown): readonly string[] =>
  isFields(found) ? Object.keys(found).filter((name) => found[name] === 1) : [];

function rotation(from: Fields): number | undefined {
  const turned = fieldsIn(from['side_data_list']).map((side) => amount(side, 'rotation'));
  const degrees = turned.find((value) => value !== undefined);
  // -0 would print as 0 and compare oddly.
  return degrees === undefined ? undefined : degrees + 0;
}

function sideData(from: Fields): Partial<MediaStream> {
  const kinds = fieldsIn(from['side_data_list']).flatMap((side) => word(side, 'side_data_type') ?? []);
  return kinds.length === 0 ? {} : { sideData: kinds.slice(0, MOST_SIDE_DATA) };
}
