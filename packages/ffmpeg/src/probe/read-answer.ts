import { definedMembers } from '@telecine/contract/domain/defined.ts';
import type { MediaChapter, MediaFormat, MediaInfo } from '@telecine/contract/domain/media-info.ts';
import { lengthOfFile } from '../allowlist/containers.ts';
import {
  type Fields,
  isFields,
  numberField,
  objectsIn,
  readStream,
  TagReader,
  textField,
  wholeNumberField,
} from './read-stream.ts';

const MAX_STREAMS = 200;
const MAX_CHAPTERS = 1000;

/**
 * Parses the output of ffprobe (`-of json`). Converts numbers that are texts, omits unknown values, and limits lists and texts. undefined:
 * the text is not such JSON.
 */
export const parseProbeAnswer = (text: string): MediaInfo | undefined => readMediaInfo(parse(text));

/**
 * Parses the output of ffprobe with packets and hashes (`-of json -show_packets -show_data_hash md5`). undefined: the text is not such
 * JSON.
 */
export function parseClipAnswer(text: string): { readonly info: MediaInfo; readonly clip: ClipDetails } | undefined {
  const answer = parse(text);
  const info = readMediaInfo(answer);
  return info && { info, clip: readClipDetails(answer) };
}

function readMediaInfo(answer: unknown): MediaInfo | undefined {
  if (!isFields(answer) || !isFields(answer['format'])) return undefined;
  const tags = new TagReader();
  const streams = objectsIn(answer['streams']);
  const chapters = objectsIn(answer['chapters']);
  const hasMedia = streams.some(({ codec_type: type }) => type === 'video' || type === 'audio');
  const isEmpty = hasMedia && Array.isArray(answer['packets']) && answer['packets'].length === 0;
  const format = { ...readFormat(answer['format'], tags), ...(isEmpty && { isEmpty }) };
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

interface ProbedPacket {
  readonly stream: number;
  /** The time in seconds for which the probe asked, in the timestamps of the file. Absent: the packet has none. */
  readonly seconds?: number;
  readonly durationSeconds?: number;
  /** Present for a key frame that is shown. The probe must ask for the flags of packets. */
  readonly isKey?: true;
  /** The first byte of the packet in the file, and its size. The probe must ask for both. */
  readonly position?: number;
  readonly sizeBytes?: number;
}

/** What ffprobe reports about a clip besides `MediaInfo`. */
export interface ClipDetails {
  readonly packets: readonly ProbedPacket[];
  /** By index of a stream of `MediaInfo`, a hash of the data that a decoder needs before the first packet (extradata). */
  readonly headers: ReadonlyMap<number, string>;
  /** The number of packets of the first stream. Present if the probe counted them. */
  readonly packetCount?: number;
  /** What the first frame says about itself, by ffprobe's names. Present if the probe asked for it. */
  readonly frameData?: readonly string[];
}

function readClipDetails(parsed: unknown): ClipDetails {
  const answer = isFields(parsed) ? parsed : {};
  const packets = objectsIn(answer['packets']).flatMap((packet) => {
    const stream = wholeNumberField(packet, 'stream_index');
    const seconds = numberField(packet, 'pts_time') ?? numberField(packet, 'dts_time');
    const durationSeconds = numberField(packet, 'duration_time');
    const position = wholeNumberField(packet, 'pos');
    const sizeBytes = wholeNumberField(packet, 'size');
    // The flag D: an edit list excludes the frame.
    const isKey = /^K[^D]*$/.test(textField(packet, 'flags') ?? '');
    return stream === undefined
      ? []
      : [{ stream, ...definedMembers({ seconds, durationSeconds, position, sizeBytes }), ...(isKey && { isKey }) }];
  });
  const streams = objectsIn(answer['streams']).slice(0, MAX_STREAMS);
  const headers = streams.flatMap((stream): [number, string][] => {
    const index = wholeNumberField(stream, 'index');
    const hash = textField(stream, 'extradata_hash');
    return index === undefined || hash === undefined ? [] : [[index, hash]];
  });
  const [packetCount] = streams.map((stream) => wholeNumberField(stream, 'nb_read_packets'));
  const frameData = objectsIn(answer['frames'])
    .slice(0, 1)
    .flatMap((frame) => objectsIn(frame['side_data_list']))
    .flatMap((data) => textField(data, 'side_data_type') ?? []);
  return {
    packets,
    headers: new Map(headers),
    ...(packetCount !== undefined && { packetCount }),
    ...('frames' in answer && { frameData }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function readFormat(from: Fields, reader: TagReader): MediaFormat {
  const names = textField(from, 'format_name')?.split(',') ?? [];
  const tags = reader.read(from['tags']);
  const [stated, startSeconds] = [numberField(from, 'duration'), numberField(from, 'start_time')];
  return {
    names,
    ...definedMembers<Omit<MediaFormat, 'names' | 'tags'>>({
      description: textField(from, 'format_long_name'),
      durationSeconds: stated && lengthOfFile(stated, names, startSeconds, textField(tags, 'ENCODER')),
      startSeconds,
      sizeBytes: wholeNumberField(from, 'size'),
      bitRate: wholeNumberField(from, 'bit_rate', 1),
      score: wholeNumberField(from, 'probe_score'),
    }),
    tags,
  };
}

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
