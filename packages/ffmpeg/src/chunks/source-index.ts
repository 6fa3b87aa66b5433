import type { WholeReason } from '@telecine/contract/domain/chunks.ts';
import { STEP, sortInSteps } from '@telecine/contract/domain/sort-in-steps.ts';
import type { InSteps } from '@telecine/contract/domain/steps.ts';
import { INPUT_FORMATS } from '../allowlist/input-formats.ts';
import type { PacketPositions } from './chunk-bytes.ts';
import { lowerBound } from './first-position.ts';

/** A stream of the source. */
export interface SourceStream {
  readonly index: number;
  readonly type: string;
  readonly codec: string;
  readonly isCover: boolean;
  /** The names of its dispositions, such as `default`. */
  readonly disposition: readonly string[];
  readonly timecode?: string;
  readonly hasLanguage: boolean;
  /** The lowest frame rate with which all times are whole frames, in frames per second (`r_frame_rate`). */
  readonly realRate?: number;
  readonly averageRate?: number;
  /** In pixels. Absent: ffprobe does not know it. */
  readonly width?: number;
  readonly height?: number;
  /** The time of its first packet in microseconds of the file's own clock. Absent: ffprobe does not know it. */
  readonly startMicros?: number;
  /** Absent: it is not audio. */
  readonly channels?: number;
}

/** The frames of the only video of a source, and its streams. */
export interface SourceIndex {
  readonly format: string;
  readonly streams: readonly SourceStream[];
  readonly video: SourceStream;
  readonly timeBase: readonly [numerator: number, denominator: number];
  /** The start of the file in microseconds of its own clock. */
  readonly startMicros: number;
  /** The times of the frames in the order in which they are shown, in ticks of `timeBase` from the start of the file. */
  readonly ticks: ArrayLike<number>;
  /** The durations of the frames in ticks. 0: unknown. */
  readonly durations: ArrayLike<number>;
  /** 1: the frame is a key frame. */
  readonly keys: ArrayLike<number>;
  /** True if frames before the first key frame may be missing from the output. */
  readonly beginsWithoutKeyFrame: boolean;
  /** Absent: ffprobe does not know where each packet is in the file. */
  readonly positions?: PacketPositions;
}

interface SourceFile {
  readonly input: string;
  readonly demuxer?: string;
}

/** The arguments of ffprobe that list the packets and streams of a source. */
export const sourceIndexArgs = (source: SourceFile): readonly string[] => listArgs(source, `${PACKETS}:${STREAMS}`);

/**
 * The arguments of ffprobe that list the packets of an MP4 file of which only the headers, the index and the first packets are
 * there. The parsers of codecs would read the rest, and take no frame for a key frame.
 */
export const packetsOfIndexArgs = (source: SourceFile): readonly string[] =>
  listArgs(source, PACKETS, ['-fflags', '+noparse']);

/** The arguments of ffprobe that list the streams alone, which takes no longer for a long source. */
export const sourceHeadArgs = (source: SourceFile): readonly string[] => listArgs(source, STREAMS);

const listArgs = (
  { input, demuxer }: SourceFile,
  entries: string,
  flags: readonly string[] = [],
): readonly string[] => [
  ...['-hide_banner', '-loglevel', 'level+error', ...flags],
  ...['-show_entries', entries, '-of', 'compact'],
  ...(demuxer === undefined ? [] : ['-f', demuxer]),
  ...['-protocol_whitelist', 'file', '-format_whitelist', INPUT_FORMATS, '-i', `file:${input}`],
];

const PACKETS = 'packet=codec_type,stream_index,pts,dts,duration,size,pos,flags';

const STREAMS = [
  'stream=index,codec_type,codec_name,width,height,channels,start_pts,time_base,r_frame_rate,avg_frame_rate',
  'stream_tags=timecode,language',
  'stream_disposition',
  'format=format_name,start_time,duration,size',
].join(':');

/** Four days of video with 25 frames per second. */
export const MAX_FRAMES = 10_000_000;

/** Of more frames, positions would take much memory: 11 hours of video with 25 frames per second. */
const MAX_POSITIONS = 1_000_000;

/** Demuxers that find a time exactly. */
const SEEKING: ReadonlySet<string> = new Set(['mov', 'matroska', 'mpegts']);

/** Video codecs with one packet for each frame that is shown. */
const ONE_PACKET_PER_FRAME: ReadonlySet<string> = new Set(
  'h264 hevc mpeg2video mpeg1video mpeg4 vp9 av1 prores dnxhd mjpeg ffv1 rawvideo v210 huffyuv ffvhuff utvideo png cfhd'.split(
    ' ',
  ),
);

/** A difference of timestamps in seconds at which ffmpeg assumes a new start in a broadcast. */
const DISCONTINUITY_SECONDS = 5;

interface PacketTimes {
  readonly pts: number[];
  readonly dts: number[];
  readonly durations: number[];
  readonly keys: number[];
  readonly starts: number[];
  readonly ends: number[];
  /** The highest of `pts`. */
  latest: number;
  isUntimed: boolean;
}

type Fields = ReadonlyMap<string, string>;

/** Collects the index of a source from the lines of ffprobe. */
export class SourceIndexReader {
  readonly #packets = new Map<number, PacketTimes>();
  /** The streams by their numbers, because `sourceHeadArgs` lists them once more. */
  readonly #streams = new Map<number, Fields>();
  #format: Fields = new Map();
  #count = 0;
  readonly #packetBytes = { first: Number.POSITIVE_INFINITY, end: 0, bytes: 0, isUnknown: false };

  feed(line: string): void {
    if (line.startsWith('packet|')) this.#addBytes(line);
    if (line.startsWith('packet|codec_type=video|')) this.#addPacket(fieldsOf(line));
    else if (line.startsWith('stream|')) this.#addStream(fieldsOf(line));
    else if (line.startsWith('format|')) this.#format = fieldsOf(line);
  }

  #addStream(fields: Fields): void {
    this.#streams.set(Number(fields.get('index')), fields);
  }

  /** The demuxer of the source. undefined: no line has told it. */
  get format(): string | undefined {
    return this.#format.get('format_name')?.split(',')[0];
  }

  /** The streams that are listed so far. */
  get streams(): readonly SourceStream[] {
    return [...this.#streams.values()].map(readStream);
  }

  /** The length in seconds that the container states. undefined: it states none. */
  get statedSeconds(): number | undefined {
    const seconds = Number(this.#format.get('duration'));
    return seconds > 0 ? seconds : undefined;
  }

  /** How many seconds of the longest video are listed. 0 before its stream is. */
  get listedSeconds(): number {
    const listed = [...this.#packets].map(([index, { pts, latest }]) => {
      const timeBase = fraction(this.#streams.get(index)?.get('time_base'));
      return timeBase === undefined ? 0 : ((latest - (pts[0] ?? latest)) * timeBase[0]) / timeBase[1];
    });
    return Math.max(0, ...listed);
  }

  #addBytes(line: string): void {
    const [, size, position] = SIZE_AND_POSITION.exec(line) ?? [];
    if (position === undefined) {
      this.#packetBytes.isUnknown = true;
      return;
    }
    this.#packetBytes.first = Math.min(this.#packetBytes.first, Number(position));
    this.#packetBytes.end = Math.max(this.#packetBytes.end, Number(position) + Number(size));
    this.#packetBytes.bytes += Number(size);
  }

  #addPacket(fields: Fields): void {
    const index = Number(fields.get('stream_index'));
    const known = this.#packets.get(index);
    const times = known ?? {
      ...{ pts: [], dts: [], durations: [], keys: [], starts: [], ends: [] },
      ...{ latest: Number.NEGATIVE_INFINITY, isUntimed: false },
    };
    if (known === undefined) this.#packets.set(index, times);
    const flags = fields.get('flags') ?? '';
    // The flag D: the frame is decoded and not shown, because an edit list excludes it.
    if (flags.includes('D')) return;
    this.#count += 1;
    if (this.#count > MAX_FRAMES) return;
    const pts = integer(fields.get('pts'));
    if (pts === undefined) {
      times.isUntimed = true;
      return;
    }
    times.pts.push(pts);
    times.latest = Math.max(times.latest, pts);
    times.dts.push(integer(fields.get('dts')) ?? pts);
    times.durations.push(integer(fields.get('duration')) ?? 0);
    times.keys.push(flags.includes('K') ? 1 : 0);
    if (times.pts.length > MAX_POSITIONS) return;
    const start = integer(fields.get('pos')) ?? 0;
    times.starts.push(start);
    times.ends.push(start + (integer(fields.get('size')) ?? 0));
  }

  /**
   * The index of what is listed until the first step, or a reason why the source cannot be cut, which then holds for all of it.
   * The streams must be known.
   *
   * @param packetsEnd Where all packets of the source end, in bytes. undefined: unknown, so that the index has no positions.
   */
  soFar(packetsEnd: number | undefined): InSteps<SourceIndex | WholeReason> {
    return this.#index((first, end) => {
      if (packetsEnd === undefined) return undefined;
      const last = Math.max(end, packetsEnd);
      // What is between the packets is not known before all are listed. Whoever knows where they end knows the layout.
      return { packets: [first, last], packetBytes: last - first };
    });
  }

  /** The index, or the reason why the source cannot be cut. */
  end(): InSteps<SourceIndex | WholeReason> {
    return this.#index((first, end) => ({ packets: [first, end], packetBytes: this.#packetBytes.bytes }));
  }

  *#index(
    extentOf: (first: number, end: number) => Pick<PacketPositions, 'packets' | 'packetBytes'> | undefined,
  ): InSteps<SourceIndex | WholeReason> {
    const { streams } = this;
    const format = this.format ?? '';
    if (!SEEKING.has(format))
      return { whole: `A file in the format "${format}" is not known to be read exactly from the middle.` };
    const videos = streams.filter(({ type }) => type === 'video');
    const moving = videos.filter(({ isCover }) => !isCover);
    const [video] = moving;
    if (video === undefined) return { whole: 'The input has no video.' };
    if (moving.length > 1) return { whole: 'The input has several videos.' };
    if (!ONE_PACKET_PER_FRAME.has(video.codec))
      return { whole: `The packets of the codec "${video.codec}" do not tell the number of its frames.` };
    const times = this.#packets.get(video.index);
    if (times === undefined || times.pts.length === 0) return { whole: 'The video of the input is empty.' };
    if (times.isUntimed) return { whole: 'Some frames of the input have no time.' };
    if (this.#count > MAX_FRAMES) return { whole: `The input has more than ${MAX_FRAMES} frames.` };
    const timeBase = fraction(this.#streams.get(video.index)?.get('time_base'));
    const start = /^(-?)(\d+)\.(\d{6})$/.exec(this.#format.get('start_time') ?? '');
    if (timeBase === undefined || start === null) return { whole: 'The input has no start time.' };
    const startMicros = (start[1] === '-' ? -1 : 1) * Number(`${start[2]}${start[3]}`);
    const fileBytes = integer(this.#format.get('size'));
    const { first, end, isUnknown } = this.#packetBytes;
    const extent = isUnknown ? undefined : extentOf(first, end);
    return yield* indexOf(
      {
        ...{ format, streams, video, timeBase, startMicros },
        ...(extent && fileBytes !== undefined && { file: { ...extent, fileBytes } }),
      },
      times,
    );
  }
}

type Head = Pick<SourceIndex, 'format' | 'streams' | 'video' | 'timeBase' | 'startMicros'> & {
  readonly file?: Omit<PacketPositions, 'starts' | 'ends' | 'keyFrames'>;
};

/** Works in steps, because a source can have millions of frames. Further packets may be listed in between. */
function* indexOf(
  { file, ...head }: Head,
  { pts, dts, durations, keys, starts, ends }: PacketTimes,
): InSteps<SourceIndex | WholeReason> {
  const times = yield* sortInSteps(pts);
  const offset = ticksOf(-head.startMicros, head.timeBase);
  const tickSeconds = head.timeBase[0] / head.timeBase[1];
  if (times.some((time, at) => time === times[at - 1])) return { whole: 'Two frames of the input have the same time.' };
  if (tickSeconds < 2e-6) return { whole: 'The times of the input are finer than two microseconds.' };
  if (head.format === 'mpegts' && dts.some((tick, at) => at > 0 && isJump((tick - (dts[at - 1] ?? 0)) * tickSeconds)))
    return { whole: 'The timestamps of the input start anew in the middle.' };
  const firstKey = keys.indexOf(1);
  const leads = firstKey !== 0 || (times[0] ?? 0) < (pts[0] ?? 0);
  const order = new Uint32Array(times.length);
  for (let packet = 0; packet < order.length; packet++) {
    order[lowerBound(times, pts[packet] ?? 0)] = packet;
    if (packet % STEP === 0) yield;
  }
  for (let at = 0; at < times.length; at++) times[at] = (times[at] ?? 0) + offset;
  yield;
  const keysInOrder = yield* inOrder(order, keys, new Uint8Array(order.length));
  return {
    ...head,
    ticks: times,
    durations: yield* inOrder(order, durations, new Float64Array(order.length)),
    keys: keysInOrder,
    beginsWithoutKeyFrame: leads,
    ...(file &&
      order.length <= MAX_POSITIONS && {
        positions: {
          ...file,
          ...runningPositions(
            yield* inOrder(order, starts, new Float64Array(order.length)),
            yield* inOrder(order, ends, new Float64Array(order.length)),
            keysInOrder,
          ),
        },
      }),
  };
}

/** Fills `into` with what is known of packets, in the order in which their frames are shown. */
function* inOrder<T extends Float64Array | Uint8Array>(
  order: Uint32Array,
  ofPackets: readonly number[],
  into: T,
): InSteps<T> {
  for (let at = 0; at < order.length; at++) {
    into[at] = ofPackets[order[at] ?? 0] ?? 0;
    if (at % STEP === 0) yield;
  }
  return into;
}

/** Changes the starts and ends of frames to those that `PacketPositions` has. */
function runningPositions(
  starts: Float64Array,
  ends: Float64Array,
  keys: Uint8Array,
): Pick<PacketPositions, 'starts' | 'ends' | 'keyFrames'> {
  const keyFrames = new Uint32Array(keys.length);
  for (let at = 1; at < ends.length; at++) {
    ends[at] = Math.max(ends[at] ?? 0, ends[at - 1] ?? 0);
    keyFrames[at] = keys[at] === 1 ? at : (keyFrames[at - 1] ?? 0);
  }
  for (let at = starts.length - 2; at >= 0; at--) starts[at] = Math.min(starts[at] ?? 0, starts[at + 1] ?? 0);
  return { starts, ends, keyFrames };
}

const isJump = (seconds: number): boolean => seconds < 0 || seconds > DISCONTINUITY_SECONDS;

function readStream(fields: Fields): SourceStream {
  const timecode = fields.get('tag:timecode');
  const [realRate, averageRate] = [rate(fields.get('r_frame_rate')), rate(fields.get('avg_frame_rate'))];
  const [width = 0, height = 0] = [integer(fields.get('width')), integer(fields.get('height'))];
  const [start, timeBase] = [integer(fields.get('start_pts')), fraction(fields.get('time_base'))];
  const channels = integer(fields.get('channels'));
  return {
    index: Number(fields.get('index')),
    type: fields.get('codec_type') ?? 'unknown',
    codec: fields.get('codec_name') ?? 'unknown',
    isCover: fields.get('disposition:attached_pic') === '1',
    disposition: [...fields].flatMap(([name, value]) =>
      name.startsWith('disposition:') && value === '1' ? name.slice('disposition:'.length) : [],
    ),
    hasLanguage: fields.has('tag:language'),
    ...(timecode !== undefined && /^[\d:;.]{1,20}$/.test(timecode) && { timecode }),
    ...(realRate !== undefined && { realRate }),
    ...(averageRate !== undefined && { averageRate }),
    ...(width > 0 && height > 0 && { width, height }),
    ...(start !== undefined && timeBase !== undefined && { startMicros: microsOf(start, timeBase) }),
    ...(channels !== undefined && { channels }),
  };
}

/** Matches the size and the position of a packet, if ffprobe knows both. */
const SIZE_AND_POSITION = /\|size=(\d{1,12})\|pos=(\d{1,15})\|/;

/** Matches a field in a line of ffprobe's writer `compact`. */
const FIELD = /\|([\w:]{1,60})=((?:[^|\\]|\\.)*)/g;

const fieldsOf = (line: string): Fields =>
  new Map([...line.matchAll(FIELD)].map(([, name = '', value = '']) => [name, value]));

const integer = (text = ''): number | undefined => (/^-?\d{1,15}$/.test(text) ? Number(text) : undefined);

function fraction(text = ''): readonly [number, number] | undefined {
  const [, numerator, denominator] = /^(\d{1,10})\/(\d{1,10})$/.exec(text) ?? [];
  return Number(numerator) > 0 && Number(denominator) > 0 ? [Number(numerator), Number(denominator)] : undefined;
}

function rate(text?: string): number | undefined {
  const found = fraction(text);
  return found && found[0] / found[1];
}

const MICROS = 1_000_000n;

/** Converts microseconds to ticks. Rounds as ffmpeg does: to the nearest, half away from zero. */
export const ticksOf = (micros: number, [numerator, denominator]: readonly [number, number]): number =>
  Number(divide(BigInt(micros) * BigInt(denominator), MICROS * BigInt(numerator)));

/** Converts ticks to microseconds. */
export const microsOf = (ticks: number, [numerator, denominator]: readonly [number, number]): number =>
  Number(divide(BigInt(ticks) * BigInt(numerator) * MICROS, BigInt(denominator)));

function divide(value: bigint, by: bigint): bigint {
  const half = by / 2n;
  return value < 0n ? -((-value + half) / by) : (value + half) / by;
}
