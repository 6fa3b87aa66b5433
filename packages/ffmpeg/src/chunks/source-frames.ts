import type { ChunkTemplates, WholeReason } from '@telecine/contract/domain/chunks.ts';
import { STEP, sortInSteps } from '@telecine/contract/domain/sort-in-steps.ts';
import type { InSteps } from '@telecine/contract/domain/steps.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';

/** A stream of the source. */
export interface SourceStream {
  readonly index: number;
  readonly type: string;
  readonly codec: string;
  readonly isCover: boolean;
  /** The names of its dispositions, such as `default`. */
  readonly disposition: readonly string[];
  readonly timecode?: string;
}

/** The frames of the only video of a source, and its streams. Times are in microseconds from the start of the file. */
export interface SourceFrames {
  readonly streams: readonly SourceStream[];
  readonly video: SourceStream;
  /** The times of the frames in the order in which they are shown. */
  readonly micros: ArrayLike<number>;
  /** The times of its key frames, in order. */
  readonly keyMicros: ArrayLike<number>;
  /** The time at which the file begins. */
  readonly sourceMicros: number;
  /** From the first frame to the end of the last one. */
  readonly lengthSeconds: number;
}

/** The arguments of ffprobe that list the packets of the videos and the streams of a source. */
export const sourceFramesArgs = ({ input, demuxer }: Pick<ChunkTemplates, 'input' | 'demuxer'>): readonly string[] =>
  probeArgs(ENTRIES, input, demuxer === undefined ? [] : ['-f', demuxer]);

/** The arguments of ffprobe that tell when the streams of a file begin. */
export const startsArgs = (logical: string): readonly string[] => probeArgs('stream=codec_type,start_time', logical);

const probeArgs = (entries: string, logical: string, format: readonly string[] = []): readonly string[] => [
  ...['-hide_banner', '-loglevel', 'level+error', '-show_entries', entries, '-of', 'compact', ...format],
  ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS, '-i', `file:${logical}`],
];

/** When the first video and the first audio of a file begin, in seconds, by the lines of ffprobe. */
export function readStarts(lines: readonly string[]): Readonly<Partial<Record<'video' | 'audio', number>>> {
  const streams = lines.filter((line) => line.startsWith('stream|')).map(fieldsOf);
  const startOf = (type: string): number =>
    Number(streams.find((fields) => fields.get('codec_type') === type)?.get('start_time') ?? Number.NaN);
  const [video, audio] = [startOf('video'), startOf('audio')];
  return { ...(!Number.isNaN(video) && { video }), ...(!Number.isNaN(audio) && { audio }) };
}

const ENTRIES = [
  'packet=codec_type,stream_index,pts,duration,flags',
  'stream=index,codec_type,codec_name,time_base',
  'stream_tags=timecode',
  'stream_disposition',
  'format=format_name,start_time',
].join(':');

/** Four days of video with 25 frames per second. */
const MAX_FRAMES = 10_000_000;

/** Demuxers that find a time exactly, by an index. */
const SEEKING: ReadonlySet<string> = new Set(['mov', 'matroska']);

/** Video codecs with one packet for each frame that is shown. */
const ONE_PACKET_PER_FRAME: ReadonlySet<string> = new Set(
  'h264 hevc mpeg2video mpeg1video mpeg4 vp9 av1 prores dnxhd mjpeg ffv1 rawvideo v210 huffyuv ffvhuff utvideo png cfhd'.split(
    ' ',
  ),
);

interface Packets {
  readonly pts: number[];
  readonly keys: number[];
  lastDuration: number;
  isUntimed: boolean;
}

type Fields = ReadonlyMap<string, string>;

/** Collects the frames of a source from the lines of ffprobe. */
export class SourceFramesReader {
  readonly #packets = new Map<number, Packets>();
  readonly #streams = new Map<number, Fields>();
  #format: Fields = new Map();
  #count = 0;

  feed(line: string): void {
    if (line.startsWith('packet|codec_type=video|')) this.#addPacket(fieldsOf(line));
    else if (line.startsWith('stream|')) {
      const fields = fieldsOf(line);
      this.#streams.set(Number(fields.get('index')), fields);
    } else if (line.startsWith('format|')) this.#format = fieldsOf(line);
  }

  #addPacket(fields: Fields): void {
    const index = Number(fields.get('stream_index'));
    const flags = fields.get('flags') ?? '';
    // The flag D: the frame is decoded and not shown, because an edit list excludes it.
    if (flags.includes('D')) return;
    this.#count += 1;
    if (this.#count > MAX_FRAMES) return;
    const packets = this.#packets.get(index) ?? { pts: [], keys: [], lastDuration: 0, isUntimed: false };
    this.#packets.set(index, packets);
    const pts = integer(fields.get('pts'));
    if (pts === undefined) packets.isUntimed = true;
    else {
      packets.pts.push(pts);
      if (flags.includes('K')) packets.keys.push(pts);
      packets.lastDuration = integer(fields.get('duration')) ?? packets.lastDuration;
    }
  }

  /** The frames, or the reason why the source cannot be cut. Works in steps, because a source can have millions of frames. */
  *end(): InSteps<SourceFrames | WholeReason> {
    const format = this.#format.get('format_name')?.split(',')[0] ?? '';
    if (!SEEKING.has(format))
      return {
        whole: `A file in the format "${format}" is not read exactly from the middle. MP4, MOV and Matroska are.`,
      };
    const streams = [...this.#streams.values()].map(readStream);
    const [video, ...others] = streams.filter(({ type, isCover }) => type === 'video' && !isCover);
    if (video === undefined) return { whole: 'The input has no video.' };
    if (others.length > 0) return { whole: 'The input has several videos.' };
    if (!ONE_PACKET_PER_FRAME.has(video.codec))
      return { whole: `The packets of the codec "${video.codec}" do not tell the number of its frames.` };
    const packets = this.#packets.get(video.index);
    if (packets === undefined || packets.pts.length === 0) return { whole: 'The video of the input is empty.' };
    if (packets.isUntimed) return { whole: 'Some frames of the input have no time.' };
    if (this.#count > MAX_FRAMES) return { whole: `The input has more than ${MAX_FRAMES} frames.` };
    const timeBase = fraction(this.#streams.get(video.index)?.get('time_base'));
    const start = Number(this.#format.get('start_time') ?? Number.NaN);
    if (timeBase === undefined || Number.isNaN(start)) return { whole: 'The input has no start time.' };
    const sourceMicros = Math.round(start * 1e6);
    const micros = yield* sortInSteps(packets.pts);
    const keyMicros = yield* sortInSteps(packets.keys);
    for (const times of [micros, keyMicros])
      for (let at = 0; at < times.length; at++) {
        if (at % STEP === 0) yield;
        times[at] = microsOf(times[at] ?? 0, timeBase) - sourceMicros;
      }
    const lastSeconds = (packets.lastDuration * timeBase[0]) / timeBase[1];
    return {
      ...{ streams, video, micros, keyMicros, sourceMicros },
      lengthSeconds: ((micros.at(-1) ?? 0) - (micros[0] ?? 0)) / 1e6 + lastSeconds,
    };
  }
}

function readStream(fields: Fields): SourceStream {
  const timecode = fields.get('tag:timecode');
  return {
    index: Number(fields.get('index')),
    type: fields.get('codec_type') ?? 'unknown',
    codec: fields.get('codec_name') ?? 'unknown',
    isCover: fields.get('disposition:attached_pic') === '1',
    disposition: [...fields].flatMap(([name, value]) =>
      name.startsWith('disposition:') && value === '1' ? name.slice('disposition:'.length) : [],
    ),
    ...(timecode !== undefined && /^[\d:;.]{1,20}$/.test(timecode) && { timecode }),
  };
}

/** Matches a field in a line of ffprobe's writer `compact`. */
const FIELD = /\|([\w:]{1,60})=((?:[^|\\]|\\.)*)/g;

const fieldsOf = (line: string): Fields =>
  new Map([...line.matchAll(FIELD)].map(([, name = '', value = '']) => [name, value]));

const integer = (text = ''): number | undefined => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);

function fraction(text = ''): readonly [number, number] | undefined {
  const [, numerator, denominator] = /^(\d{1,10})\/(\d{1,10})$/.exec(text) ?? [];
  return Number(numerator) > 0 && Number(denominator) > 0 ? [Number(numerator), Number(denominator)] : undefined;
}

/** Converts ticks to microseconds, exactly. */
const microsOf = (ticks: number, [numerator, denominator]: readonly [number, number]): number =>
  Math.round(Number((BigInt(ticks) * BigInt(numerator) * 2_000_000n) / BigInt(denominator)) / 2);
