import type { Progress } from '../../domain/job.ts';

/** One report of `-progress`. What ffmpeg answers with N/A, or with nothing usable, is left out. */
export interface ProgressBlock {
  readonly frame?: number;
  readonly fps?: number;
  /** Seconds of the output written so far. */
  readonly outSeconds?: number;
  readonly totalBytes?: number;
  readonly speed?: number;
  /** The last block: ffmpeg has written all that it will write. */
  readonly ended: boolean;
}

const NUMBER = /^\s*(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)x?\s*$/i;

/** Reads the key=value lines of `-progress`; a block ends with its `progress=` line. */
export class ProgressReader {
  #fields = new Map<string, string>();

  /** The whole block when `line` ends one. */
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
    // ffmpeg writes microseconds under both names; out_time_ms is the older one, misnamed.
    const micros = amount('out_time_us') ?? amount('out_time_ms');
    return {
      ...given('frame', amount('frame')),
      ...given('fps', amount('fps')),
      ...given('outSeconds', micros === undefined ? undefined : micros / 1e6),
      ...given('totalBytes', amount('total_size')),
      ...given('speed', amount('speed')),
      ended: line.slice(at + 1).trim() === 'end',
    };
  }
}

/** Turns the blocks of all passes into one progress that never goes back. */
export class ProgressTracker {
  readonly #passes: number;
  #percent: number | undefined;

  constructor(passes: number) {
    this.#passes = Math.max(1, passes);
  }

  /**
   * @param pass Counted from 0.
   * @param expected Seconds that one pass will write; undefined while it is not known.
   */
  update(pass: number, block: ProgressBlock, expected: number | undefined): Progress {
    const last = pass >= this.#passes - 1;
    if (block.ended && last) this.#percent = 100;
    else this.#advance(pass, block, expected);
    const left = this.#secondsLeft(pass, block, expected);
    return {
      ...given('percent', this.#percent),
      ...given('speed', positive(block.speed)),
      ...given('fps', positive(block.fps)),
      ...given('etaSeconds', block.ended && last ? 0 : left),
    };
  }

  #advance(pass: number, block: ProgressBlock, expected: number | undefined): void {
    if (expected === undefined || !(expected > 0)) return;
    const done = block.ended ? 1 : Math.min(1, (block.outSeconds ?? 0) / expected);
    const percent = Math.floor(((pass + done) / this.#passes) * 1000) / 10;
    // The last tenth is kept for the end: what was expected may fall short of what comes.
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

/** `{ [key]: value }`, or nothing where there is no value: an optional property is absent, not undefined. */
function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}
