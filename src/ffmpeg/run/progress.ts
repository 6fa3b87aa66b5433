import type { Progress } from '../../domain/job.ts';

/** One report of `-progress`. Values that ffmpeg reports as N/A or in an unusable form are absent. */
export interface ProgressBlock {
  readonly frame?: number;
  readonly fps?: number;
  /** Seconds of output written so far. */
  readonly outSeconds?: number;
  readonly totalBytes?: number;
  readonly speed?: number;
  /** Frames that ffmpeg repeated or left out to keep the frame rate. */
  readonly repeatedFrames?: number;
  readonly droppedFrames?: number;
  /** Whether this is the last block of the pass. */
  readonly ended: boolean;
}

const NUMBER = /^\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)x?\s*$/i;

/** Parses the key=value lines of `-progress`. The line `progress=…` ends a block. */
export class ProgressReader {
  #fields = new Map<string, string>();

  /** Returns the block that `line` completes, if any. */
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
    // Both fields contain microseconds, although the name of the older one suggests milliseconds.
    const micros = amount('out_time_us') ?? amount('out_time_ms');
    return {
      ...optionalMember('frame', amount('frame')),
      ...optionalMember('fps', amount('fps')),
      ...optionalMember('outSeconds', micros === undefined ? undefined : micros / 1e6),
      ...optionalMember('totalBytes', amount('total_size')),
      ...optionalMember('speed', amount('speed')),
      ...optionalMember('repeatedFrames', amount('dup_frames')),
      ...optionalMember('droppedFrames', amount('drop_frames')),
      ended: line.slice(at + 1).trim() === 'end',
    };
  }
}

/** Combines the blocks of all passes into one progress that never decreases. */
export class ProgressTracker {
  readonly #passes: number;
  #percent: number | undefined;

  constructor(passes: number) {
    this.#passes = Math.max(1, passes);
  }

  /**
   * @param pass The index of the pass, from 0.
   * @param expected The seconds of output that one pass will write; undefined if unknown.
   */
  update(pass: number, block: ProgressBlock, expected: number | undefined): Progress {
    const last = pass >= this.#passes - 1;
    if (block.ended && last) this.#percent = 100;
    else this.#advance(pass, block, expected);
    const left = this.#secondsLeft(pass, block, expected);
    return {
      ...optionalMember('percent', this.#percent),
      ...optionalMember('speed', positive(block.speed)),
      ...optionalMember('fps', positive(block.fps)),
      ...optionalMember('etaSeconds', block.ended && last ? 0 : left),
    };
  }

  #advance(pass: number, block: ProgressBlock, expected: number | undefined): void {
    if (expected === undefined || !(expected > 0)) return;
    const done = block.ended ? 1 : Math.min(1, (block.outSeconds ?? 0) / expected);
    const percent = Math.floor(((pass + done) / this.#passes) * 1000) / 10;
    // At most 99.9 %, because the output may be longer than expected.
    this.#percent = Math.max(this.#percent ?? 0, Math.min(99.9, percent));
  }

  #secondsLeft(pass: number, block: ProgressBlock, expected: number | undefined): number | undefined {
    const speed = positive(block.speed);
    if (expected === undefined || !(expected > 0) || speed === undefined) return undefined;
    const ofThisPass = block.ended ? 0 : Math.max(0, expected - (block.outSeconds ?? 0));
    const ofLaterPasses = expected * (this.#passes - 1 - pass);
    return Math.round(((ofThisPass + ofLaterPasses) / speed) * 10) / 10;
  }
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;

/**
 * Returns `{ [key]: value }`, or `{}` if the value is undefined, because an optional property must be absent rather
 * than undefined.
 */
function optionalMember<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
