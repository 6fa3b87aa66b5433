import type { FrameRateMode } from '@telecine/contract/domain/chunks.ts';
import { STEP } from '@telecine/contract/domain/sort-in-steps.ts';
import type { InSteps } from '@telecine/contract/domain/steps.ts';

/** What ffmpeg does with each frame when it writes frames at multiples of the frame duration. */
export interface FrameSlots {
  /** 1: an encode that begins at this frame gives it, and all after it, the same times as the whole conversion does. */
  readonly canBegin: Uint8Array;
  /** For each frame, how many frames the output has before it. One more number: the frames of the whole output. */
  readonly written: Uint32Array;
}

interface Assumption {
  /** Frames per second of the encoder. */
  readonly rate: number;
  readonly mode: FrameRateMode;
  /** True if ffmpeg knows how long each frame lasts. Otherwise, each lasts as long as a frame of the encoder. */
  readonly usesDurations: boolean;
}

/** ffmpeg adds this part of a frame before it rounds, so that a time in the middle between two frames never depends on the last bit. */
const BIAS = 1 / 2 ** 17;

/** How far apart two frames have to be for a constant frame rate to repeat the first, in frames. */
const GAP = 1.1;

/**
 * Simulates what ffmpeg does between the filters and the encoder (`do_video_out` in 5.1, `video_sync_process` from 6.1 on). Each frame gets
 * the time of a multiple of the frame duration. A constant frame rate repeats and drops frames; a variable one drops a frame that comes too
 * early. What happens to a frame therefore depends on the frames before it.
 *
 * @param seconds The times of the frames.
 * @param durations Their durations in seconds. 0: unknown.
 */
export function* frameSlots(
  seconds: ArrayLike<number>,
  durations: ArrayLike<number>,
  { rate, usesDurations, mode }: Assumption,
): InSteps<FrameSlots> {
  const count = seconds.length;
  const canBegin = new Uint8Array(count);
  const written = new Uint32Array(count + 1);
  // How often each of the last three frames was repeated. At the end of a run, the last frame is repeated as often as the median of these.
  const repeated: [number, number, number] = [0, 0, 0];
  let next = 0;
  for (let at = 0; at < count; at++) {
    const time = (seconds[at] ?? 0) * rate;
    const exact = time + (time < 0 ? -BIAS : BIAS);
    const packet = usesDurations ? Math.round((durations[at] ?? 0) * rate) : 0;
    const duration = Math.max(1, packet);
    const step =
      mode === 'passthrough'
        ? { slot: Math.round(exact), frames: 1, before: 0 }
        : place({ exact, next, duration, isConstant: mode === 'cfr' });
    const alone = mode === 'cfr' && duration > GAP ? Math.round(duration) : 1;
    const continues =
      mode === 'passthrough' || (step.before === 0 && step.frames === alone && step.slot === Math.round(exact));
    canBegin[at] = continues && middle(repeated) === 0 ? 1 : 0;
    repeated.shift();
    repeated.push(step.before);
    next = step.slot + step.frames;
    written[at + 1] = (written[at] ?? 0) + step.frames;
    if (at % STEP === 0) yield;
  }
  return { canBegin, written };
}

interface Step {
  /** The time of the first frame that is written, in frames. */
  readonly slot: number;
  readonly frames: number;
  /** How many of these repeat the frame before. */
  readonly before: number;
}

function place({
  exact,
  next,
  duration,
  isConstant,
}: {
  readonly exact: number;
  readonly next: number;
  readonly duration: number;
  readonly isConstant: boolean;
}): Step {
  const delta = exact - next + duration;
  const isEarly = exact < next && delta > 0;
  const ahead = isEarly ? 0 : exact - next;
  if (!isConstant) {
    if (delta <= -0.6) return { slot: next, frames: 0, before: 0 };
    return { slot: delta > 0.6 ? Math.round(isEarly ? next : exact) : next, frames: 1, before: 0 };
  }
  if (delta < -GAP) return { slot: next, frames: 0, before: 0 };
  if (delta <= GAP) return { slot: next, frames: 1, before: 0 };
  return { slot: next, frames: Math.round(delta), before: ahead > GAP ? Math.round(ahead - 0.6) : 0 };
}

const middle = ([a, b, c]: readonly [number, number, number]): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
