/** A chunk that was encoded with the same quality as all others. */
export interface TrialChunk {
  readonly seconds: number;
  readonly bytes: number;
}

/** A chunk with a bit rate of its own. */
export interface BudgetedChunk extends TrialChunk {
  /** The bits per second that it was encoded for. */
  readonly rate: number;
  /** The bits per second that it should have. */
  readonly budget: number;
}

/** The lowest and the highest bit rate of a chunk, as shares of the average. A still or a noisy chunk would have an absurd one otherwise. */
const SHARES = { least: 0.05, most: 4 };

/** The lowest bit rate of a chunk. With fewer bits per second, the second pass of libx264 may fail even for a still picture. */
const LEAST_RATE = 20_000;

/** The lowest bit rate of a chunk of a video with this average: at most the average. */
const leastRate = (bitsPerSecond: number): number =>
  Math.min(bitsPerSecond, Math.max(LEAST_RATE, SHARES.least * bitsPerSecond));

/** With fewer bits in the trial, as a share of the wanted ones, the video cannot use them, and its chunks say little about each other. */
const TOO_SIMPLE = 0.1;

/** By how much the bits of all chunks may differ from the wanted ones, as a share. */
const TOLERANCE = 0.02;

/** By how much they may exceed the wanted ones if the file has a largest size: a bit rate for a size leaves little more room. */
export const TOLERANCE_OF_SIZE = 0.01;

/** How many times as many bits a chunk can get when it is encoded again. */
const MOST_FACTOR = 2;

/** A chunk with fewer bits than this share of what it was encoded for cannot use more: it has a still picture. */
const CANNOT_USE = 0.7;

const sumOf = <T>(items: readonly T[], read: (item: T) => number): number =>
  items.reduce((sum, item) => sum + read(item), 0);

/**
 * Shares an average bit rate among chunks by their sizes at one quality, as the second pass of an encoder would. Returns the bits per second of each.
 * undefined: the video is so simple that it cannot use the bit rate.
 *
 * @param limit The highest bit rate. Absent: there is none.
 */
export function shareRate(
  bitsPerSecond: number,
  chunks: readonly TrialChunk[],
  limit = Number.POSITIVE_INFINITY,
): readonly number[] | undefined {
  const total = bitsPerSecond * sumOf(chunks, ({ seconds }) => seconds);
  if (sumOf(chunks, ({ bytes }) => bytes) * 8 < TOO_SIMPLE * total) return undefined;
  const least = leastRate(bitsPerSecond);
  const most = Math.max(bitsPerSecond, Math.min(limit, SHARES.most * bitsPerSecond));
  // Each chunk has its bits of the trial times one factor, within the bounds. The sum grows with the factor.
  const ratesWith = (factor: number): readonly number[] =>
    chunks.map(({ bytes, seconds }) =>
      Math.min(most, Math.max(least, (factor * Math.max(1, bytes) * 8) / Math.max(1e-3, seconds))),
    );
  const bitsOf = (rates: readonly number[]): number =>
    sumOf([...chunks.entries()], ([at, { seconds }]) => (rates[at] ?? 0) * seconds);
  let [low, high] = [0, 1];
  while (bitsOf(ratesWith(high)) < total && high < MOST_SCALE) high *= 2;
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (bitsOf(ratesWith(middle)) < total) low = middle;
    else high = middle;
  }
  return ratesWith(high).map(Math.round);
}

/** How far the factor is sought, and in how many steps: to the precision of a double. */
const [MOST_SCALE, STEPS] = [2 ** 60, 100];

/** By which share the bits of all chunks differ from the average bit rate: 0.01 is 1 % too many. */
export const rateError = (bitsPerSecond: number, chunks: readonly TrialChunk[]): number =>
  (sumOf(chunks, ({ bytes }) => bytes) * 8) / (bitsPerSecond * sumOf(chunks, ({ seconds }) => seconds)) - 1;

/** A chunk to encode again with another bit rate. */
export interface CorrectedChunk {
  readonly at: number;
  readonly rate: number;
  /** Present if it should have other bits than before. */
  readonly budget?: number;
}

/**
 * The chunks to encode again with other bit rates, because all chunks together miss the average: those that miss their budgets by most. If some chunks
 * cannot have more bits, all others share what is missing. Empty: the average holds, or no chunk can have more bits, as without chunks. undefined: the
 * chunks have too many bits, and none can have fewer.
 *
 * @param limit The highest bit rate. Absent: there is none.
 * @param tolerance By how much the bits of all chunks may exceed the average, as a share.
 */
export function correctedRates(
  bitsPerSecond: number,
  chunks: readonly BudgetedChunk[],
  limit = Number.POSITIVE_INFINITY,
  tolerance = TOLERANCE,
): readonly CorrectedChunk[] | undefined {
  const error = rateError(bitsPerSecond, chunks);
  if (error <= tolerance && error >= -TOLERANCE) return [];
  if (error < 0 && chunks.some((chunk) => hasMost(chunk, limit))) return raisedOthers(bitsPerSecond, chunks, limit);
  let excess = error * bitsPerSecond * sumOf(chunks, ({ seconds }) => seconds);
  const corrected: CorrectedChunk[] = [];
  const excessOf = ({ bytes, seconds, budget }: BudgetedChunk): number => bytes * 8 - budget * seconds;
  const order = [...chunks.entries()].toSorted(([, a], [, b]) => (excessOf(b) - excessOf(a)) * Math.sign(error));
  for (const [at, chunk] of order) {
    const own = excessOf(chunk);
    if (Math.sign(own) !== Math.sign(error) || own === 0) break;
    const factor = Math.min(MOST_FACTOR, (chunk.budget * chunk.seconds) / (chunk.bytes * 8));
    const rate = Math.max(leastRate(bitsPerSecond), Math.round(Math.min(limit, chunk.rate * factor)));
    // The same rate would give the same chunk. A rate that a bound moves to the other side would not help.
    if (inKilobits(rate) === inKilobits(chunk.rate) || Math.sign(chunk.rate - rate) !== Math.sign(error)) continue;
    corrected.push({ at, rate });
    excess -= own;
    if (Math.sign(excess) !== Math.sign(error)) break;
  }
  return corrected.length === 0 && error > 0 ? undefined : corrected;
}

/** Returns whether more bits would not help a chunk: it does not use all that it has, or its bit rate is at the limit. */
const hasMost = ({ bytes, seconds, rate }: BudgetedChunk, limit: number): boolean =>
  bytes * 8 < CANNOT_USE * rate * seconds || inKilobits(rate) >= inKilobits(limit);

/** All chunks that can have more bits, with the bits that the others leave. */
function raisedOthers(
  bitsPerSecond: number,
  chunks: readonly BudgetedChunk[],
  limit: number,
): readonly CorrectedChunk[] {
  const bitsOf = (some: readonly BudgetedChunk[]): number => sumOf(some, ({ bytes }) => bytes) * 8;
  const others = chunks.filter((chunk) => !hasMost(chunk, limit));
  const missing = bitsPerSecond * sumOf(chunks, ({ seconds }) => seconds) - bitsOf(chunks);
  const factor = 1 + missing / Math.max(1, bitsOf(others));
  return [...chunks.entries()].flatMap(([at, chunk]): readonly CorrectedChunk[] => {
    const rate = Math.round(Math.min(limit, chunk.rate * Math.min(MOST_FACTOR, factor)));
    const budget = Math.round((chunk.bytes * 8 * factor) / Math.max(1e-3, chunk.seconds));
    return hasMost(chunk, limit) || inKilobits(rate) === inKilobits(chunk.rate) ? [] : [{ at, rate, budget }];
  });
}

/** A bit rate as libx264 reads it. */
const inKilobits = (rate: number): number => Math.floor(rate / 1000);
