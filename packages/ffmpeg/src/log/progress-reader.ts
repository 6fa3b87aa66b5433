import { definedMembers } from '@telecine/contract/domain/defined.ts';

/** One report of `-progress`. A member is undefined if ffmpeg reports N/A. */
export interface ProgressBlock {
  readonly frame?: number;
  readonly fps?: number;
  /** The seconds of output that ffmpeg has written so far. */
  readonly outSeconds?: number;
  readonly totalBytes?: number;
  readonly speed?: number;
  /** Frames that ffmpeg repeated or dropped to keep the frame rate. */
  readonly repeatedFrames?: number;
  readonly droppedFrames?: number;
  /** True if this is the last block of the pass. */
  readonly ended: boolean;
}

const NUMBER = /^\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)x?\s*$/i;

/** Parses the key=value lines of `-progress`. The line `progress=…` ends a block. */
export class ProgressReader {
  #fields = new Map<string, string>();

  /** Adds a line. Returns a block if this line completes it. */
  feed(line: string): ProgressBlock | undefined {
    const at = line.indexOf('=');
    if (at <= 0) return undefined;
    const key = line.slice(0, at);
    if (key !== 'progress') {
      if (this.#fields.size < 1000) this.#fields.set(key, line.slice(at + 1));
      return undefined;
    }
    const fields = this.#fields;
    this.#fields = new Map();
    const amount = (name: string): number | undefined => {
      const text = NUMBER.exec(fields.get(name) ?? '')?.[1];
      const value = text === undefined ? Number.NaN : Number(text);
      return Number.isFinite(value) && value >= 0 ? value : undefined;
    };
    // Both fields are in microseconds, although the name of the older `out_time_ms` suggests milliseconds.
    const micros = amount('out_time_us') ?? amount('out_time_ms');
    return definedMembers<ProgressBlock>({
      frame: amount('frame'),
      fps: amount('fps'),
      outSeconds: micros === undefined ? undefined : micros / 1e6,
      totalBytes: amount('total_size'),
      speed: amount('speed'),
      repeatedFrames: amount('dup_frames'),
      droppedFrames: amount('drop_frames'),
      ended: line.slice(at + 1).trim() === 'end',
    });
  }
}
