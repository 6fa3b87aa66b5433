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
  /** Its frame rate, as a multiple of 24. */
  readonly pace: number;
  /** The median bytes of its packets that are not key frames, divided by those of the last key frame, at 24 frames a second. Absent without such packets. */
  readonly motion?: number;
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
  /** The median of `SourcePart.motion`. Absent: unknown. */
  readonly motion?: number;
  /** See `SourcePart.pace`. Absent: 1. */
  readonly pace?: number;
}

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

/** The frames per second of the videos by which `UsualEffect.excess` was measured. */
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
  // From frame to frame, less changes at a higher frame rate.
  const paceOfFrames = seconds > 0 ? sorted.length / seconds / USUAL_FRAMES : 1;
  for (const packet of sorted) {
    if (packet.key) keyBytes = packet.bytes;
    const part = parts[Math.floor((packet.time - range.start) / partSeconds)];
    if (part === undefined) continue;
    part.bytes += packet.bytes;
    if (!packet.key && keyBytes > 0) part.motions.push((paceOfFrames * packet.bytes) / keyBytes);
  }
  return parts.map(({ bytes, motions }, index) => ({
    start: range.start + index * partSeconds,
    seconds: Math.min(partSeconds, range.seconds - index * partSeconds),
    ...{ bytes, pace: paceOfFrames },
    ...(motions.length > 0 && { motion: median(motions) }),
  }));
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

export const secondsOf = (parts: readonly SourcePart[]): number => {
  const [first, last] = [parts[0], parts.at(-1)];
  return first === undefined || last === undefined ? 0 : last.start + last.seconds - first.start;
};

/** How many samples there are, and how long each is. */
export interface SampleShape {
  readonly count: number;
  readonly seconds: number;
  /** See `Sample.tail`. Present: samples have their `motion`, where it is known. */
  readonly tail?: number;
}

/**
 * Chooses samples at equal distances, and weights with which their mean complexity equals that of the source (a calibration estimator).
 * Tried with twenty sources, against the mean distortion of the full video: this is twice as accurate as equal weights, and more accurate than
 * one sample from each stratum of complexity. A source that is too short for them is one sample.
 *
 * @param parts At least one.
 */
export function chooseSamples(parts: readonly SourcePart[], { count, seconds, tail = 0 }: SampleShape) {
  const [first] = parts;
  if (first === undefined) throw new RangeError('Samples need at least one part of the source.');
  const total = secondsOf(parts);
  if (count * seconds >= total) return [{ start: first.start, seconds: total, weight: 1 }];
  const scored = seconds - tail;
  const rate = byteRates(parts);
  const starts = parts.map(({ start }) => start - first.start).filter((start) => start + scored <= total + 1e-6);
  const rates = starts.map((start) => rate(start, scored));
  const floor = (LEAST_COMPLEXITY * sumOf(rates)) / rates.length;
  const complexityOf = (bytesPerSecond: number): number => (bytesPerSecond + floor) ** COMPLEXITY_POWER;
  const places = Array.from({ length: count }, (_, index) => ((index + 0.5) * total) / count - seconds / 2);
  const complexities = places.map((place) => complexityOf(rate(place, scored)));
  const weights = sharesOf(complexities, rates.map(complexityOf));
  return places.map((place, at): Sample => {
    const start = first.start + place;
    const within = parts.filter((part) => part.start + part.seconds > start && part.start < start + scored);
    const motions = tail > 0 ? within.flatMap(({ motion = [] }) => motion) : [];
    return {
      ...{ start, seconds, weight: weights[at] ?? 0, complexity: complexities[at] ?? 0 },
      ...(tail > 0 && { tail, pace: first.pace }),
      ...(motions.length > 0 && { motion: median(motions) }),
    };
  });
}

/** Returns a function that computes bytes per second. `start` counts from the first part. Parts at the borders count partly. */
function byteRates(parts: readonly SourcePart[]): (start: number, seconds: number) => number {
  const partSeconds = parts[0]?.seconds ?? PART_SECONDS;
  const sums = [0];
  for (const { bytes } of parts) sums.push((sums.at(-1) ?? 0) + bytes);
  const until = (time: number): number => {
    const place = Math.min(parts.length, Math.max(0, time / partSeconds));
    const before = sums[Math.floor(place)] ?? 0;
    return before + (place % 1) * ((sums[Math.ceil(place)] ?? before) - before);
  };
  return (start, seconds) => (until(start + seconds) - until(start)) / seconds;
}

/** The share of the source that each sample stands for: of all parts as long as a sample, those that are the most alike in complexity. */
function sharesOf(samples: readonly number[], windows: readonly number[]): readonly number[] {
  const shares = samples.map(() => 0);
  for (const window of windows) {
    const distances = samples.map((one) => Math.abs(one - window));
    const nearest = distances.indexOf(Math.min(...distances));
    shares[nearest] = (shares[nearest] ?? 0) + 1 / windows.length;
  }
  return shares;
}
