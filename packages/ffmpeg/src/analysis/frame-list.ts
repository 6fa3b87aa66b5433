import type { InSteps } from '@telecine/contract/domain/steps.ts';
import { type LogLine, repetitionsIn } from '../log/log-line.ts';
import { statedSeconds } from './cut-off-file.ts';

/** The fields of a line of the writer `compact`: a section, then `name=value` for each field. */
const FIELD = /(?:^|\|)([\w:]{1,40})=((?:[^|\\]|\\.)*)/g;
/** The section with the log of decoders in the line of a frame. */
const LOG_SECTION = /[^\\]\|log\|/;
/** The warning about an incomplete packet (demux.c, 5.1 to 8). */
const CORRUPT = /^Packet corrupt /;

/** Demuxers that find the duration at the end of the file. After 64 KiB without a sync byte, they stop reading. */
const TIMED_BY_END: ReadonlySet<string> = new Set(['mpegts', 'mpeg']);

/** The most streams with times. Errors of other streams only count. */
const MAX_STREAMS = 32;
/** The most times of a stream: four days of video, 80 MB. */
const MAX_TIMES = 10_000_000;
/** The most times of all streams: a small file can have very many packets. */
const MAX_ALL_TIMES = 30_000_000;
/** The time between two frames that ffmpeg assumes for an unknown frame rate. */
const ASSUMED_SECONDS = 0.04;

/** The times of a stream, in seconds, in the order of the file. */
interface StreamTimes {
  readonly packets: ArrayLike<number>;
  /** The packets of key frames. */
  readonly keys: ArrayLike<number>;
  /** The time between the starts of two packets, if the file has it. */
  readonly packetSeconds: number | undefined;
  readonly frames: ArrayLike<number>;
  /** The frames with an error of the decoder. */
  readonly damaged: ArrayLike<number>;
}

interface Stream {
  readonly packets: number[];
  readonly keys: number[];
  readonly frames: number[];
  readonly damaged: number[];
  packetSeconds: number | undefined;
  /** The number of frames without a time, such as all of a raw H.264 stream, and the damaged frames among them. */
  untimed: number;
  readonly untimedDamaged: number[];
}

/** Reads the output of ffprobe while it decodes a file, line by line. ffprobe lists the streams after the frames. */
export class FrameList {
  readonly #streams = new Map<number, Stream>();
  readonly #types = new Map<number, string>();
  #errors = 0;
  #lastCounted = false;
  #startTime: number | undefined;
  #firstTime = Number.POSITIVE_INFINITY;
  #lastTime = Number.NEGATIVE_INFINITY;
  #statedSeconds: number | undefined;
  #endSeconds: number | undefined;
  #position = 0;
  #times = 0;

  feed(line: string): void {
    const section = line.slice(0, Math.max(0, line.indexOf('|')));
    if (section === 'packet') this.#addPacket(fieldsOf(line));
    else if (section === 'frame') this.#addFrame(fieldsOf(line), LOG_SECTION.test(line));
    else if (section === 'stream') this.#addType(fieldsOf(line));
    else if (section === 'format') this.#addFormat(fieldsOf(line));
  }

  /** Counts a line of ffprobe's log. */
  countError(line: LogLine): void {
    const { level, text } = line;
    const again = this.#lastCounted ? repetitionsIn(line) : undefined;
    this.#lastCounted = level === 'error' || level === 'fatal' || (level === 'warning' && CORRUPT.test(text));
    this.#errors += again ?? Number(this.#lastCounted);
  }

  #addPacket(fields: Fields): void {
    const position = Number(fields.get('pos'));
    if (position > this.#position) this.#position = position;
    const time = timeOf(fields, 'pts_time', 'dts_time');
    // D: its frame is not shown.
    if (fields.get('flags')?.includes('D') === true) return;
    const stream = this.#streamOf(fields);
    const seconds = timeOf(fields, 'duration_time');
    if (stream !== undefined && seconds !== undefined && seconds > 0) stream.packetSeconds ??= seconds;
    if (time === undefined) return;
    this.#firstTime = Math.min(this.#firstTime, time);
    this.#lastTime = Math.max(this.#lastTime, time);
    if (stream === undefined || !this.#hasRoom(stream.packets)) return;
    stream.packets.push(time);
    if (fields.get('flags')?.includes('K') === true) stream.keys.push(time);
  }

  /** Whether to keep one more time of a stream. Each costs eight bytes. */
  #hasRoom(times: readonly number[]): boolean {
    if (times.length >= MAX_TIMES || this.#times >= MAX_ALL_TIMES) return false;
    this.#times += 1;
    return true;
  }

  #addFrame(fields: Fields, hasErrors: boolean): void {
    const time = timeOf(fields, 'pts_time', 'best_effort_timestamp_time');
    const stream = this.#streamOf(fields);
    if (stream === undefined) return;
    if (time === undefined) {
      if (hasErrors && this.#hasRoom(stream.untimedDamaged)) stream.untimedDamaged.push(stream.untimed);
      stream.untimed += 1;
      return;
    }
    if (!this.#hasRoom(stream.frames)) return;
    stream.frames.push(time);
    if (hasErrors) stream.damaged.push(time);
  }

  #streamOf(fields: Fields): Stream | undefined {
    const index = Number(fields.get('stream_index'));
    if (!Number.isInteger(index)) return undefined;
    const known = this.#streams.get(index);
    if (known !== undefined || this.#streams.size >= MAX_STREAMS) return known;
    const stream = emptyStream();
    this.#streams.set(index, stream);
    return stream;
  }

  /** A cover does not count as video. */
  #addType(fields: Fields): void {
    const index = Number(fields.get('index'));
    const type = fields.get('disposition:attached_pic') === '1' ? 'cover' : fields.get('codec_type');
    if (Number.isInteger(index) && type !== undefined && this.#types.size < 1000) this.#types.set(index, type);
  }

  #addFormat(fields: Fields): void {
    this.#startTime = timeOf(fields, 'start_time');
    const duration = timeOf(fields, 'duration');
    const demuxer = fields.get('format_name') ?? '';
    if (TIMED_BY_END.has(demuxer)) this.#endSeconds = duration;
    this.#statedSeconds = statedSeconds({ demuxer, ...(duration !== undefined && { durationSeconds: duration }) });
  }

  /** The number of errors of ffprobe. */
  get errors(): number {
    return this.#errors;
  }

  /** The position in the file, in bytes. */
  get position(): number {
    return this.#position;
  }

  /** The seconds of the file so far. */
  get seconds(): number {
    return this.#lastTime > this.#firstTime ? this.#lastTime - this.#firstTime : 0;
  }

  /** The start of the file in its own timestamps. */
  get startTime(): number {
    return this.#startTime ?? (Number.isFinite(this.#firstTime) ? this.#firstTime : 0);
  }

  /** The duration in the header of the file. undefined if it has none. */
  get statedSeconds(): number | undefined {
    return this.#statedSeconds;
  }

  /** The duration by the last timestamp of the file, for the formats of `TIMED_BY_END`. */
  get endSeconds(): number | undefined {
    return this.#endSeconds;
  }

  /** The start of the last packet, in seconds from the start of the file. */
  get lastSeconds(): number {
    return Number.isFinite(this.#lastTime) ? Math.max(0, this.#lastTime - this.startTime) : 0;
  }

  /** Whether the file has such a stream. */
  has(type: 'video' | 'audio'): boolean {
    return this.#indexOf(type) !== undefined;
  }

  /** The times of the first stream of a type. undefined if the file has none. */
  *first(type: 'video' | 'audio'): InSteps<StreamTimes | undefined> {
    const index = this.#indexOf(type);
    if (index === undefined) return undefined;
    const stream = this.#streams.get(index) ?? emptyStream();
    return stream.frames.length === 0 && stream.untimed > 0 ? yield* byNumber(stream) : stream;
  }

  #indexOf(type: 'video' | 'audio'): number | undefined {
    const indexes = [...this.#types].flatMap(([index, one]) => (one === type ? [index] : []));
    return indexes.toSorted((a, b) => a - b)[0];
  }
}

const emptyStream = (): Stream => ({
  packets: [],
  keys: [],
  frames: [],
  damaged: [],
  packetSeconds: undefined,
  untimed: 0,
  untimedDamaged: [],
});

/** The times of a stream whose frames have none, by their numbers. Then nobody knows which packets have no frame. */
function* byNumber({ packetSeconds = ASSUMED_SECONDS, untimed, untimedDamaged }: Stream): InSteps<StreamTimes> {
  const frames = new Float64Array(Math.min(untimed, MAX_TIMES));
  for (let at = 0; at < frames.length; at++) {
    frames[at] = at * packetSeconds;
    if (at % STEP === 0) yield;
  }
  const damaged = new Float64Array(untimedDamaged.length);
  for (let at = 0; at < damaged.length; at++) {
    damaged[at] = (untimedDamaged[at] ?? 0) * packetSeconds;
    if (at % STEP === 0) yield;
  }
  return { packets: frames, keys: frames, packetSeconds, frames, damaged };
}

type Fields = ReadonlyMap<string, string>;

/** The fields of a line. The first field with a name counts, because the fields of inner sections come later. */
function fieldsOf(line: string): Fields {
  const fields = new Map<string, string>();
  for (const [, name = '', value = ''] of line.matchAll(FIELD)) if (!fields.has(name)) fields.set(name, value);
  return fields;
}

/** The first known time. */
function timeOf(fields: Fields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const text = fields.get(name) ?? '';
    if (/^-?\d{1,12}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  }
  return undefined;
}

/** The numbers of a step, which takes some milliseconds. */
export const STEP = 65_536;

/** The numbers in ascending order. */
export function* sortInSteps(numbers: ArrayLike<number>): InSteps<Float64Array> {
  const { length } = numbers;
  let [from, to] = [new Float64Array(length), new Float64Array(length > STEP ? length : 0)];
  for (let start = 0; start < length; start += STEP) {
    const end = Math.min(start + STEP, length);
    for (let at = start; at < end; at++) from[at] = numbers[at] ?? 0;
    from.subarray(start, end).sort();
    yield;
  }
  for (let width = STEP; width < length; width *= 2) {
    for (let start = 0; start < length; start += 2 * width) {
      const [middle, end] = [Math.min(start + width, length), Math.min(start + 2 * width, length)];
      yield* mergeInSteps(from, to, { start, middle, end });
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Merges two adjacent sorted parts. */
function* mergeInSteps(
  from: Float64Array,
  to: Float64Array,
  { start, middle, end }: { readonly start: number; readonly middle: number; readonly end: number },
): InSteps<void> {
  let [left, right] = [start, middle];
  for (let at = start; at < end; at++) {
    const isLeft = right >= end || (left < middle && (from[left] ?? 0) <= (from[right] ?? 0));
    to[at] = from[isLeft ? left++ : right++] ?? 0;
    if (at % STEP === 0) yield;
  }
}
