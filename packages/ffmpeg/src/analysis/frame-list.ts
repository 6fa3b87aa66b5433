import { STEP } from '@telecine/contract/domain/sort-in-steps.ts';
import type { InSteps } from '@telecine/contract/domain/steps.ts';
import { type LogLine, repetitionsIn } from '../log/log-line.ts';
import { statedSeconds } from './cut-off-file.ts';

/** Matches a field in a line of ffprobe's writer `compact`: `frame|media_type=video|pts_time=0.04`. The first word is the section. */
const FIELD = /(?:^|\|)([\w:]{1,40})=((?:[^|\\]|\\.)*)/g;
/** Matches the line of a frame with a section `log`: messages of the decoder about this frame. */
const LOG_SECTION = /[^\\]\|log\|/;
/** Matches the warning about an incomplete packet (`demux.c`, ffmpeg 5.1 to 8). */
const CORRUPT = /^Packet corrupt /;

/** Demuxers that find the duration at the end of the file. When they read the file, they stop after 64 KiB without a sync byte. */
const TIMED_BY_END: ReadonlySet<string> = new Set(['mpegts', 'mpeg']);

/** The maximum number of streams whose times are stored. Errors in further streams are only counted. */
const MAX_STREAMS = 32;
/** The maximum number of times per stream: four days of video, in 80 MB. */
const MAX_TIMES = 10_000_000;
/** The maximum number of times for all streams together. Even a small file can have very many packets. */
const MAX_ALL_TIMES = 30_000_000;
/** The time from one frame to the next, in seconds, that ffmpeg assumes if the frame rate is unknown. */
const ASSUMED_SECONDS = 0.04;

/** The times of a stream in seconds, in the order of the file. */
interface StreamTimes {
  readonly packets: ArrayLike<number>;
  /** The duration of the first packet that states one, in seconds. undefined: no packet does. */
  readonly packetSeconds: number | undefined;
  readonly frames: ArrayLike<number>;
  /** The times of the frames with a decoder error. */
  readonly damaged: ArrayLike<number>;
}

interface Stream {
  readonly packets: number[];
  readonly frames: number[];
  readonly damaged: number[];
  packetSeconds: number | undefined;
  /** The number of frames without a time. In a raw H.264 stream, no frame has one. */
  untimed: number;
  /** Which of the frames without a time are damaged, by their number. */
  readonly untimedDamaged: number[];
}

/**
 * Collects the packets and frames of a file from the lines that ffprobe prints while it decodes. ffprobe lists the streams after all
 * frames.
 */
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

  /** Counts the errors in one line of ffprobe's log. */
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
    // The flag D: the frame of this packet is not shown.
    if (fields.get('flags')?.includes('D') === true) return;
    const stream = this.#streamOf(fields);
    const seconds = timeOf(fields, 'duration_time');
    if (stream !== undefined && seconds !== undefined && seconds > 0) stream.packetSeconds ??= seconds;
    if (time === undefined) return;
    this.#firstTime = Math.min(this.#firstTime, time);
    this.#lastTime = Math.max(this.#lastTime, time);
    if (stream !== undefined && this.#hasRoom(stream.packets)) stream.packets.push(time);
  }

  /** Reserves room for one more time, which takes eight bytes. false: there is no room. */
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

  /** Stores the type of a stream. The cover of an audio file is not a video. */
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

  get errors(): number {
    return this.#errors;
  }

  /** The highest position of a packet in the file so far, in bytes. */
  get position(): number {
    return this.#position;
  }

  /** The seconds between the first and the last packet so far. */
  get seconds(): number {
    return this.#lastTime > this.#firstTime ? this.#lastTime - this.#firstTime : 0;
  }

  /** The start of the file in seconds. Files may start at any timestamp. */
  get startTime(): number {
    return this.#startTime ?? (Number.isFinite(this.#firstTime) ? this.#firstTime : 0);
  }

  /** The duration that the header of the file states, in seconds. undefined: the header has none. */
  get statedSeconds(): number | undefined {
    return this.#statedSeconds;
  }

  /** The duration in seconds by the last timestamp of the file. undefined: another format than those of `TIMED_BY_END`. */
  get endSeconds(): number | undefined {
    return this.#endSeconds;
  }

  get lastSeconds(): number {
    return Number.isFinite(this.#lastTime) ? Math.max(0, this.#lastTime - this.startTime) : 0;
  }

  has(type: 'video' | 'audio'): boolean {
    return this.#indexOf(type) !== undefined;
  }

  /** The times of the first stream of a type. undefined: the file has no such stream. */
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
  frames: [],
  damaged: [],
  packetSeconds: undefined,
  untimed: 0,
  untimedDamaged: [],
});

/**
 * Computes the times of frames that have none, from their numbers. Which packets gave no frame is unknown, so packets get the same times as
 * frames.
 */
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
  return { packets: frames, packetSeconds, frames, damaged };
}

type Fields = ReadonlyMap<string, string>;

/** Reads the fields of a line. If a name appears twice, the first counts: the later one belongs to an inner section. */
function fieldsOf(line: string): Fields {
  const fields = new Map<string, string>();
  for (const [, name = '', value = ''] of line.matchAll(FIELD)) if (!fields.has(name)) fields.set(name, value);
  return fields;
}

/** Returns the time in seconds of the first of these fields that has a time. */
function timeOf(fields: Fields, ...names: readonly string[]): number | undefined {
  for (const name of names) {
    const text = fields.get(name) ?? '';
    if (/^-?\d{1,12}(?:\.\d{1,9})?$/.test(text)) return Number(text);
  }
  return undefined;
}
