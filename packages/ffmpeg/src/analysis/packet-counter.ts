import { FIRST_LISTED, MAX_LISTED, type Measurements } from '@telecine/contract/domain/analysis.ts';
import { rounded } from '@telecine/contract/domain/quantity.ts';
import { type MeasuredPart, statedSeconds } from './cut-off-file.ts';

/**
 * Matches the line of a packet (ffprobe 5.1 to 8): `packet,0,0.04,0.04,0.04,1234,K__`. After the stream: the times pts and dts and the
 * duration in seconds, the size in bytes, and the flags.
 */
const PACKET = /^packet,(\d{1,5}),(-?[\d.]{1,20}|N\/A),(-?[\d.]{1,20}|N\/A),(-?[\d.]{1,20}|N\/A),(\d{1,12}),(K?)/;
/** Matches the line of a stream: `stream,0,video,0`. The last number is 1 for a cover. */
const STREAM = /^stream,(\d{1,5}),(\w{1,20})(?:,([01]))?/;
/**
 * Matches the line of the format, with demuxer, start and duration: `format,"mov,mp4,m4a,3gp,3g2,mj2",0.000000,4.000000`. N/A: the time is
 * unknown.
 */
const FORMAT = /^format,"?([\w,]{1,80}?)"?,(-?[\d.]{1,20}|N\/A),(-?[\d.]{1,20}|N\/A)$/;

/** The maximum number of key frames per stream, so that a file of key frames only does not fill the memory. */
const MAX_KEY_FRAMES = 1_000_000;

const MAX_STREAMS = 1000;

/** The bytes are counted per interval of this length, in seconds. A measurement adds up several intervals. */
const BIN_SECONDS = 0.1;
/** The maximum number of intervals: 30 hours. Later packets count in the last one. */
const MAX_BINS = 1_080_000;

/** Counts the packets of a file from the lines of ffprobe, which lists the streams after all packets. */
export class PacketCounter {
  readonly #bins: number[] = [];
  readonly #keyFrames = new Map<number, number[]>();
  readonly #types = new Map<number, string>();
  /** For each stream, the end of its last packet. */
  readonly #ends = new Map<number, number>();
  #startTime = 0;
  #lastTime = 0;
  #statedSeconds: number | undefined;

  feed(line: string): void {
    const [, stream, pts, dts, duration, size, key] = PACKET.exec(line) ?? [];
    if (stream !== undefined && size !== undefined) {
      const time = [pts, dts].map(Number).find(Number.isFinite) ?? this.#lastTime;
      this.#count(Number(stream), time, Number(size), key === 'K');
      this.#extend(Number(stream), time + (Number(duration) > 0 ? Number(duration) : BIN_SECONDS));
      return;
    }
    const [, index, type, isCover] = STREAM.exec(line) ?? [];
    if (index !== undefined && type !== undefined && this.#types.size < MAX_STREAMS)
      this.#types.set(Number(index), isCover === '1' ? 'cover' : type);
    const [, demuxer, start, whole] = FORMAT.exec(line) ?? [];
    if (demuxer === undefined) return;
    this.#startTime = Number.isFinite(Number(start)) ? Number(start) : 0;
    this.#statedSeconds = statedSeconds({ demuxer, durationSeconds: Number(whole) });
  }

  /** The duration that the header of the file states, in seconds. undefined: the header has none. */
  get statedSeconds(): number | undefined {
    return this.#statedSeconds;
  }

  get lastSeconds(): number {
    return this.#lastTime - this.#startTime;
  }

  /** The end of the longest stream, in seconds from the start of the file. 0: there are no packets. */
  get endSeconds(): number {
    return Math.max(this.#startTime, ...this.#ends.values()) - this.#startTime;
  }

  get hasVideo(): boolean {
    return [...this.#types.values()].includes('video');
  }

  #count(stream: number, time: number, size: number, isKey: boolean): void {
    this.#lastTime = Math.max(this.#lastTime, time);
    const bin = Math.min(Math.max(0, Math.floor(time / BIN_SECONDS + 1e-6)), MAX_BINS - 1);
    this.#bins[bin] = (this.#bins[bin] ?? 0) + size;
    if (!isKey) return;
    const times = this.#keyFrames.get(stream) ?? [];
    if (times.length < MAX_KEY_FRAMES) times.push(time);
    if (this.#keyFrames.size < MAX_STREAMS) this.#keyFrames.set(stream, times);
  }

  /** The bit rate of all streams together, for each interval and on average. undefined: the measured part has no packets. */
  bitRate({ from, to }: MeasuredPart, intervalSeconds: number): Measurements['bitrate'] {
    const seconds = Math.min(to, this.endSeconds) - from;
    const needed = Math.ceil(seconds / FIRST_LISTED / BIN_SECONDS) * BIN_SECONDS;
    const interval = rounded(Math.max(intervalSeconds, needed), 1);
    const values: number[] = [];
    let [bytes, max, maxAt] = [0, 0, 0];
    for (let start = 0; start < seconds - 1e-6 && values.length < FIRST_LISTED; start += interval) {
      // Audio often ends some milliseconds after the video. These milliseconds get no interval of their own.
      const isLast = seconds - start - interval < BIN_SECONDS / 2;
      const length = isLast ? seconds - start : interval;
      // The last interval also counts the packets after its end.
      const isOfFile = isLast && this.endSeconds <= to;
      const inside = this.#bytes(from + start, isOfFile ? Number.POSITIVE_INFINITY : from + start + length);
      bytes += inside;
      // A short rest at the end counts as at least half an interval; its own bit rate would mean nothing.
      const rate = Math.round((inside * 8) / Math.max(length, interval / 2));
      values.push(rate);
      if (rate > max) [max, maxAt] = [rate, rounded(from + start)];
      if (isLast) break;
    }
    if (values.length === 0) return undefined;
    return { mean: Math.round((bytes * 8) / seconds), max, maxAt, intervalSeconds: interval, values };
  }

  /** The key frames of the first video stream. undefined: the file has no video. */
  keyFrames({ from, to }: MeasuredPart): Measurements['keyframes'] {
    const [first] = [...this.#types]
      .flatMap(([index, type]) => (type === 'video' ? [index] : []))
      .sort((a, b) => a - b);
    if (first === undefined) return undefined;
    const times = (this.#keyFrames.get(first) ?? [])
      .map((time) => time - this.#startTime)
      .filter((time) => time >= from - 1e-6 && time < to)
      .toSorted((a, b) => a - b);
    const end = Math.min(to, (this.#ends.get(first) ?? 0) - this.#startTime);
    const gaps = [...times.slice(1), end].map((next, index) => next - (times[index] ?? next));
    return {
      count: times.length,
      meanSpacing: rounded(times.length === 0 ? 0 : gaps.reduce((sum, gap) => sum + gap, 0) / times.length),
      maxSpacing: rounded(gaps.reduce((most, gap) => Math.max(most, gap), 0)),
      at: times.slice(0, MAX_LISTED).map((time) => rounded(time)),
    };
  }

  #extend(stream: number, end: number): void {
    if (this.#ends.has(stream) || this.#ends.size < MAX_STREAMS)
      this.#ends.set(stream, Math.max(end, this.#ends.get(stream) ?? 0));
  }

  #bytes(from: number, to: number): number {
    const [first, end] = [from, to].map((time) => Math.round((time + this.#startTime) / BIN_SECONDS));
    let sum = 0;
    for (let bin = Math.max(0, first ?? 0); bin < Math.min(end ?? 0, this.#bins.length); bin++)
      sum += this.#bins[bin] ?? 0;
    return sum;
  }
}
