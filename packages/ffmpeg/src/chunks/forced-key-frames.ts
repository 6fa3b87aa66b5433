import type { ForcedKeyFrames } from '@telecine/contract/domain/chunks.ts';
import { STEP } from '@telecine/contract/domain/sort-in-steps.ts';
import type { InSteps } from '@telecine/contract/domain/steps.ts';

/** Frames per second as a fraction. */
export type Rate = readonly [numerator: number, denominator: number];

const MAX_DENOMINATOR = 10_000;

/** The fraction that was divided to a rate. undefined: it has a large denominator, and so is not a usual rate. */
export function fractionOf(rate: number): Rate | undefined {
  for (let denominator = 1; denominator <= MAX_DENOMINATOR; denominator++) {
    const numerator = Math.round(rate * denominator);
    if (numerator / denominator === rate) return [numerator, denominator];
  }
  return undefined;
}

/** The requested key frames of an output at a constant rate, by the numbers of their frames. */
export interface ForcedNumbers {
  /** The numbers of the frames, in order. */
  readonly numbers: readonly number[];
  /** True if each release of ffmpeg has them. */
  readonly areCertain: boolean;
}

/**
 * The numbers of the requested key frames among so many frames at a constant rate. ffmpeg compares an expression in doubles without a tolerance.
 * It compares listed times exactly since release 6, and rounded to frames before.
 */
export function* forcedNumbers(
  forced: ForcedKeyFrames,
  [perSeconds, seconds]: Rate,
  count: number,
): InSteps<ForcedNumbers> {
  if ('everySeconds' in forced) {
    const tick = seconds / perSeconds;
    const numbers = yield* reachedBy(count, (frame, at) => frame * tick >= at * forced.everySeconds);
    return { numbers, areCertain: true };
  }
  const micros = forced.seconds.map((time) => Math.round(time * 1e6));
  const ticks = micros.map((time) => (time * perSeconds) / (seconds * 1e6));
  const numbersFrom = (targets: readonly number[]): InSteps<readonly number[]> =>
    reachedBy(count, (frame, at) => frame >= (targets[at] ?? Number.POSITIVE_INFINITY));
  const numbers = yield* numbersFrom(ticks.map(Math.round));
  const exact = yield* numbersFrom(ticks.map(Math.ceil));
  return { numbers, areCertain: numbers.length === exact.length && numbers.every((one, at) => one === exact[at]) };
}

/** The frames at which the next of several moments is reached. Each frame reaches at most one moment. */
function* reachedBy(count: number, isReached: (frame: number, moment: number) => boolean): InSteps<readonly number[]> {
  const frames: number[] = [];
  for (let frame = 0; frame < count; frame++) {
    if (isReached(frame, frames.length)) frames.push(frame);
    if (frame % STEP === 0) yield;
  }
  return frames;
}

/** The time of a frame in microseconds, rounded down, so that no release of ffmpeg takes the frame before or after it. */
export const microsOfFrame = (frame: number, [perSeconds, seconds]: Rate): number =>
  Number((BigInt(frame) * BigInt(seconds) * 1_000_000n) / BigInt(perSeconds));
