import { clamp } from '@telecine/contract/domain/quantity.ts';
import type { FrameSize } from '@telecine/contract/domain/sampling.ts';

/** A packet of the source's video stream. */
export interface SourcePacket {
  /** Seconds on the timeline of the input. */
  readonly time: number;
  readonly bytes: number;
  readonly key: boolean;
}

/** A part of the source. Its bytes tell how complex it is, and how much it moves. */
export interface SourcePart {
  /** Seconds on the timeline of the input, as `-ss` takes them. */
  readonly start: number;
  readonly seconds: number;
  readonly bytes: number;
  /**
   * The median bytes of its packets that are not key frames, divided by those of the last key frame, at 24 frames a second. At a higher rate,
   * less changes from frame to frame, and more frames of a sample refine the later ones. Absent without such packets.
   */
  readonly motion?: number | undefined;
}

/** The part of the input that becomes the output. */
export interface SampledSource {
  readonly seconds: number;
  /** false: `seconds` is only assumed. */
  readonly isKnown: boolean;
  readonly parts: readonly SourcePart[];
  /** The bits of its packets for each pixel that the encoder gets. 0: unknown. */
  readonly bitsPerPixel: number;
  /** The size of the frames that the encoder gets. */
  readonly size: FrameSize;
  /** How many audio streams each input has. */
  readonly audioStreams: readonly number[];
}

/** A part of the source that is encoded to try values. */
export interface Sample {
  /** Seconds on the timeline of the input, as `-ss` takes them. */
  readonly start: number;
  /** The seconds to encode, with the tail. */
  readonly seconds: number;
  /**
   * The seconds at the end that are encoded, but not scored: encoders look ahead, and no frames follow the last ones of a sample, so their
   * distortion is up to 1.5 times that in the full video. Absent: 0.
   */
  readonly tail?: number;
  /** The share of the source for which this sample stands. All weights together are 1. */
  readonly weight: number;
  /** The complexity, to choose samples that differ. Absent if there is only one. */
  readonly complexity?: number;
  /** The median of `SourcePart.motion`, within bounds. Absent: no frame of the sample is worse than in the full video. */
  readonly motion?: number;
}

/**
 * The motion of still frames, whose packets are almost empty, and that from which frames are as bad in a sample as in the full video. `usual`:
 * that of an ordinary video, for sources whose packets do not tell it, such as those with only key frames.
 */
export const MOTION = { min: 0.002, usual: 0.25, max: 0.8 } as const;

/** The length of a part, unless the source is so long that it would have too many. */
const PART_SECONDS = 0.25;
/** The maximum number of parts. A damaged or hostile file may claim any length. */
const MAX_PARTS = 100_000;

/**
 * Distortion grows slower than the bytes of the source: with twenty sources, this power of the bytes per second was the best predictor of
 * the distortion of a second of video.
 */
const COMPLEXITY_POWER = 0.7;
/** The least complexity, as a share of the mean bytes: a still image has almost no bytes, but some distortion. */
const LEAST_COMPLEXITY = 0.02;

/** Samples whose complexity differs by this share of it are as much like a part of the source. */
const ALIKE = 0.1;

/** The frames per second of the videos by which `QualityScale.excess` was measured. */
const USUAL_FRAMES = 24;

/** Sums packets by quarters of a second, or by longer parts of a very long source. Packets may come in any order. Packets outside of the range are ignored. */
export function partsOf(
  packets: readonly SourcePacket[],
  range: { readonly start: number; readonly seconds: number },
): readonly SourcePart[] {
  const partSeconds = Math.max(PART_SECONDS, range.seconds / MAX_PARTS);
  const count = Math.max(1, Math.ceil(range.seconds / partSeconds - 1e-6));
  const parts = Array.from({ length: count }, () => ({ bytes: 0, motions: [] as number[] }));
  let keyBytes = 0;
  const sorted = packets.toSorted((a, b) => a.time - b.time);
  const seconds = (sorted.at(-1)?.time ?? 0) - (sorted[0]?.time ?? 0);
  const pace = seconds > 0 ? Math.max(1, sorted.length / seconds / USUAL_FRAMES) : 1;
  for (const packet of sorted) {
    if (packet.key) keyBytes = packet.bytes;
    const part = parts[Math.floor((packet.time - range.start) / partSeconds)];
    if (part === undefined) continue;
    part.bytes += packet.bytes;
    if (!packet.key && keyBytes > 0) part.motions.push((pace ** 2 * packet.bytes) / keyBytes);
  }
  return parts.map(({ bytes, motions }, index) => ({
    start: range.start + index * partSeconds,
    seconds: Math.min(partSeconds, range.seconds - index * partSeconds),
    bytes,
    motion: median(motions),
  }));
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

export const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

export const secondsOf = (parts: readonly SourcePart[]): number => {
  const [first, last] = [parts[0], parts.at(-1)];
  return first === undefined || last === undefined ? 0 : last.start + last.seconds - first.start;
};

/** How many samples there are, and how long each is. */
interface SampleShape {
  readonly count: number;
  readonly seconds: number;
  /** See `Sample.tail`. Present: samples have their `motion`. */
  readonly tail?: number;
}

/**
 * Chooses samples at equal distances. Each stands for the parts of the source that are the most like it in complexity. Tried with twenty sources,
 * against the mean distortion of the full video: this is twice as accurate as equal weights, and more accurate than one sample from each
 * stratum of complexity. A source that is too short for them is one sample.
 *
 * @param parts At least one.
 */
export function chooseSamples(
  parts: readonly SourcePart[],
  { count, seconds, tail = 0 }: SampleShape,
): readonly Sample[] {
  const [first] = parts;
  if (first === undefined) throw new RangeError('Samples need at least one part of the source.');
  const total = secondsOf(parts);
  if (count * seconds >= total) return [{ start: first.start, seconds: total, weight: 1 }];
  const length = Math.max(1, Math.round(seconds / first.seconds));
  const sums = [0];
  for (const { bytes } of parts) sums.push((sums.at(-1) ?? 0) + bytes);
  const windows = sums.slice(length).map((sum, at) => sum - (sums[at] ?? 0));
  const floor = (LEAST_COMPLEXITY * sumOf(windows)) / windows.length;
  const complexities = windows.map((bytes) => (bytes + floor) ** COMPLEXITY_POWER);
  const samples = Array.from({ length: count }, (_, index) => {
    const at = Math.floor((((index + 0.5) * total) / count - seconds / 2) / first.seconds);
    const motions = parts.slice(at, at + length).flatMap(({ motion = [] }) => motion);
    return {
      ...{ start: first.start + at * first.seconds, seconds, complexity: complexities[at] ?? 0 },
      ...(tail > 0 && { tail, motion: clamp(median(motions) ?? MOTION.usual, MOTION) }),
    };
  });
  const shares = samples.map(() => 0);
  for (const complexity of complexities) {
    const distances = samples.map((one) => Math.abs(one.complexity - complexity));
    const most = Math.min(...distances) + ALIKE * complexity;
    const alike = [...distances.keys()].filter((at) => (distances[at] ?? 0) <= most);
    for (const at of alike) shares[at] = (shares[at] ?? 0) + 1 / alike.length / complexities.length;
  }
  return samples.map((sample, at) => ({ ...sample, weight: shares[at] ?? 0 }));
}
