import type { MediaChapter, MediaFormat, MediaInfo } from '../../domain/media-info.ts';
import {
  definedMembers,
  type Fields,
  isFields,
  numberField,
  objectsIn,
  textField,
  wholeNumberField,
} from './fields.ts';
import { readStream } from './read-stream.ts';
import { TagReader } from './tag-reader.ts';

const MAX_STREAMS = 200;
const MAX_CHAPTERS = 1000;

/**
 * Parses ffprobe's output (`-of json`). Converts numbers that are printed as text, omits unknown values, and limits the
 * length of lists and texts. Returns undefined if the output is not such JSON.
 */
export function parseProbeAnswer(text: string): MediaInfo | undefined {
  const answer = parse(text);
  if (!isFields(answer) || !isFields(answer['format'])) return undefined;
  const tags = new TagReader();
  const streams = objectsIn(answer['streams']);
  const chapters = objectsIn(answer['chapters']);
  const format = readFormat(answer['format'], tags);
  const info = {
    format,
    streams: streams.slice(0, MAX_STREAMS).map((stream, at) => readStream(stream, at, tags)),
    chapters: chapters.slice(0, MAX_CHAPTERS).map((chapter) => readChapter(chapter, tags)),
  };
  const leftOut = {
    streams: streams.length - info.streams.length,
    chapters: chapters.length - info.chapters.length,
    tags: tags.leftOut,
  };
  return leftOut.streams + leftOut.chapters + leftOut.tags === 0 ? info : { ...info, leftOut };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const readFormat = (from: Fields, tags: TagReader): MediaFormat => ({
  names: textField(from, 'format_name')?.split(',') ?? [],
  ...definedMembers<Omit<MediaFormat, 'names' | 'tags'>>({
    description: textField(from, 'format_long_name'),
    durationSeconds: numberField(from, 'duration'),
    startSeconds: numberField(from, 'start_time'),
    sizeBytes: wholeNumberField(from, 'size'),
    bitRate: wholeNumberField(from, 'bit_rate', 1),
    score: wholeNumberField(from, 'probe_score'),
  }),
  tags: tags.read(from['tags']),
});

function readChapter(from: Fields, reader: TagReader): MediaChapter {
  const tags = reader.read(from['tags']);
  const title = textField(tags, 'title');
  return {
    startSeconds: numberField(from, 'start_time') ?? 0,
    endSeconds: numberField(from, 'end_time') ?? 0,
    ...(title === undefined ? {} : { title }),
    tags,
  };
}
