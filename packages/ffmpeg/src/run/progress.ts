import { definedMembers } from '@telecine/contract/domain/defined.ts';
import type { Progress } from '@telecine/contract/domain/job.ts';
import type { ProgressBlock } from '../log/progress-reader.ts';
import { recentSpeed, type Written, withWritten } from './recent-speed.ts';

/** Frames that an encoder holds back to look ahead. ffmpeg reports no progress while it encodes them at the end of a pass. */
const HELD_FRAMES = 50;

const LOOKING_AHEAD = /^lib(?:x26[45]|vpx|aom|svtav1|rav1e)/;

/** The seconds that a pass will write, plus the length of the frames that its encoders hold back, which take time too. */
export function withHeldFrames(
  expected: number | undefined,
  { frame = 0, outSeconds = 0 }: ProgressBlock,
  encoders: readonly string[],
): number | undefined {
  if (expected === undefined || frame === 0 || !encoders.some((one) => LOOKING_AHEAD.test(one))) return expected;
  return expected + Math.min(expected, (HELD_FRAMES * outSeconds) / frame);
}

/** Combines the progress of all passes into one progress that never decreases. */
export class ProgressTracker {
  #passes: number;
  readonly #first: number;
  readonly #now: () => number;
  #percent: number | undefined;
  /** What the running pass has written in the last half minute. */
  #written: readonly Written[] = [];
  #pass = 0;
  /** The speed at the end of the pass before. */
  #speedBefore: number | undefined;

  /**
   * @param first How long the first pass takes, as a share of each other pass.
   * @param now A clock that only goes forward, in milliseconds.
   */
  constructor(passes: number, first = 1, now = () => performance.now()) {
    this.#passes = Math.max(1, passes);
    this.#first = first;
    this.#now = now;
  }

  /** Adds passes that were not expected. The percentage stands still until the progress of all passes has caught up with it. */
  addPasses(count: number): void {
    this.#passes += count;
  }

  /** Returns the progress of a run whose passes have all ended, or will not run. */
  end(): Progress {
    return this.update(this.#passes - 1, { ended: true }, undefined);
  }

  /**
   * @param pass The index of the pass, from 0.
   * @param expected The seconds that one pass will write. undefined: unknown.
   */
  update(pass: number, block: ProgressBlock, expected: number | undefined): Progress {
    const last = pass >= this.#passes - 1;
    if (block.ended && last) this.#percent = 100;
    else this.#advance(pass, block, expected);
    const left = this.#secondsLeft(pass, block, expected, this.#recentSpeed(pass, block));
    return definedMembers<Progress>({
      percent: this.#percent,
      speed: positive(block.speed),
      fps: positive(block.fps),
      etaSeconds: block.ended && last ? 0 : left,
    });
  }

  #advance(pass: number, block: ProgressBlock, expected: number | undefined): void {
    if (expected === undefined || !(expected > 0)) return;
    const done = block.ended ? 1 : Math.min(1, (block.outSeconds ?? 0) / expected);
    const ended = pass === 0 ? this.#first * done : this.#first + pass - 1 + done;
    const percent = Math.floor((ended / (this.#first + this.#passes - 1)) * 1000) / 10;
    // Report at most 99.9 % before the end, because the output may be longer than expected.
    this.#percent = Math.max(this.#percent ?? 0, Math.min(99.9, percent));
  }

  /** The speed of the last half minute. ffmpeg reports the mean since the pass began. undefined: it is not known. */
  #recentSpeed(pass: number, { speed, outSeconds = 0 }: ProgressBlock): number | undefined {
    const mean = positive(speed);
    if (mean === undefined) return undefined;
    if (pass !== this.#pass) {
      this.#speedBefore = this.#written.length > 0 ? recentSpeed(this.#written, this.#speedBefore ?? mean) : undefined;
      this.#written = [];
      this.#pass = pass;
    }
    this.#written = withWritten(this.#written, { atMs: this.#now(), seconds: outSeconds });
    return recentSpeed(this.#written, this.#speedBefore ?? mean);
  }

  #secondsLeft(
    pass: number,
    block: ProgressBlock,
    expected: number | undefined,
    speed: number | undefined,
  ): number | undefined {
    if (expected === undefined || !(expected > 0) || speed === undefined) return undefined;
    const ofThisPass = block.ended ? 0 : Math.max(0, expected - (block.outSeconds ?? 0));
    const ofLaterPasses = expected * (this.#passes - 1 - pass);
    return Math.round(((ofThisPass + ofLaterPasses) / speed) * 10) / 10;
  }
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined;
