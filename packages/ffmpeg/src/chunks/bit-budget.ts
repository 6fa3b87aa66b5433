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

/** With fewer bits in the trial, as a share of the wanted ones, the video cannot use them, and its chunks say little about each other. */
const TOO_SIMPLE = 0.1;

/** By how much the bits of all chunks may differ from the wanted ones, as a share. */
const TOLERANCE = 0.02;

/** How many times as many bits a chunk can get when it is encoded again. */
const MOST_FACTOR = 2;

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
  const [least, most] = [
    SHARES.least * bitsPerSecond,
    Math.max(bitsPerSecond, Math.min(limit, SHARES.most * bitsPerSecond)),
  ];
  const rates = chunks.map(() => 0);
  const free = new Set(chunks.keys());
  // Chunks that would be beyond a bound get the bound, and the others share what is left, until none is beyond.
  for (;;) {
    const left =
      total - sumOf([...chunks.entries()], ([at, { seconds }]) => (free.has(at) ? 0 : (rates[at] ?? 0) * seconds));
    const bytes = sumOf([...free], (at) => chunks[at]?.bytes ?? 0);
    for (const at of free) {
      const { bytes: own = 0, seconds = 1 } = chunks[at] ?? {};
      rates[at] = (left * own) / Math.max(1, bytes) / Math.max(1e-3, seconds);
    }
    const beyond = [...free].filter((at) => (rates[at] ?? 0) > most);
    // First those above, because what they leave raises the others.
    const out = beyond.length > 0 ? beyond : [...free].filter((at) => (rates[at] ?? 0) < least);
    if (out.length === 0) return rates.map(Math.round);
    for (const at of out) {
      rates[at] = beyond.length > 0 ? most : least;
      free.delete(at);
    }
  }
}

/** By which share the bits of all chunks differ from the average bit rate: 0.01 is 1 % too many. */
export const rateError = (bitsPerSecond: number, chunks: readonly TrialChunk[]): number =>
  (sumOf(chunks, ({ bytes }) => bytes) * 8) / (bitsPerSecond * sumOf(chunks, ({ seconds }) => seconds)) - 1;

/**
 * The chunks to encode again with other bit rates, because all chunks together miss the average: those that miss their budgets by most. Empty: the
 * average holds.
 *
 * @param limit The highest bit rate. Absent: there is none.
 */
export function correctedRates(
  bitsPerSecond: number,
  chunks: readonly BudgetedChunk[],
  limit = Number.POSITIVE_INFINITY,
): readonly { readonly at: number; readonly rate: number }[] {
  const error = rateError(bitsPerSecond, chunks);
  if (Math.abs(error) <= TOLERANCE) return [];
  let excess = error * bitsPerSecond * sumOf(chunks, ({ seconds }) => seconds);
  const corrected: { at: number; rate: number }[] = [];
  const excessOf = ({ bytes, seconds, budget }: BudgetedChunk): number => bytes * 8 - budget * seconds;
  const order = [...chunks.entries()].toSorted(([, a], [, b]) => (excessOf(b) - excessOf(a)) * Math.sign(error));
  for (const [at, chunk] of order) {
    const own = excessOf(chunk);
    if (Math.sign(own) !== Math.sign(error) || own === 0 || chunk.bytes === 0) break;
    const factor = Math.min(MOST_FACTOR, (chunk.budget * chunk.seconds) / (chunk.bytes * 8));
    corrected.push({ at, rate: Math.max(1000, Math.round(Math.min(limit, chunk.rate * factor))) });
    excess -= own;
    if (Math.sign(excess) !== Math.sign(error)) break;
  }
  return corrected;
}
