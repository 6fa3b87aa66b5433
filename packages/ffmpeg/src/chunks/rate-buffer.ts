import type { RateLimit } from '@telecine/contract/domain/chunks.ts';

/** With how much of its buffer libx264 and libx265 begin a video, as a share. */
export const FIRST_FILL = 0.9;

/**
 * With how much of its buffer a later chunk begins, as a share. libx264 keeps about half of the buffer in reserve while it is at the limit, so the chunk
 * before ends with about as much.
 */
const LATER_FILL = 0.5;

/** The least share of the buffer with which a chunk can begin. With less, its first frame would be too bad. */
const LEAST_FILL = 0.1;

/** By how much a buffer may lack bits, as a share. libx264 itself only estimates the size of a frame before it encodes the frame. */
const TOLERANCE = 0.01;

/** The frames of an encoded chunk, in the order of decoding. */
export interface ChunkFrames {
  readonly bytes: readonly number[];
  /** The times at which the frames are shown, in seconds. */
  readonly seconds: readonly number[];
  /** From the first frame to the first frame of the next chunk, in seconds. Absent: it is the last chunk. */
  readonly length?: number;
}

/**
 * What a chunk makes of the buffer that the chunks before have left. With `fill` bits at its start, it ends with the lower of `fill + change` and
 * `ceiling`. All are in bits.
 */
export interface BufferEffect {
  /** With fewer bits at the start, the buffer is empty before a frame. */
  readonly need: number;
  readonly change: number;
  readonly ceiling: number;
}

/**
 * The effect of a chunk on the buffer. A frame that exceeds even a full buffer counts as one that empties it: the limit is broken by this frame
 * alone, with or without chunks.
 */
export function bufferEffect({ rate, buffer }: RateLimit, { bytes, seconds, length }: ChunkFrames): BufferEffect {
  // Frames are decoded at even distances, which are those of the times in their order.
  const times = seconds.toSorted((a, b) => a - b);
  const first = times[0] ?? 0;
  let [need, change, ceiling] = [0, 0, buffer];
  for (const [at, size] of bytes.entries()) {
    const bits = Math.min(size * 8, ceiling);
    change -= bits;
    ceiling -= bits;
    need = Math.max(need, -change);
    const next = times[at + 1] ?? first + (length ?? 0);
    const gain = rate * Math.max(0, next - (times[at] ?? first));
    change += gain;
    ceiling = Math.min(buffer, ceiling + gain);
  }
  return { need: Math.round(need), change: Math.round(change), ceiling: Math.round(ceiling) };
}

/** How many bits are in the buffer when a chunk begins: by its number, or `own` if it is encoded again. undefined: as many as in the first frame of any video. */
export function fillAtStart({ buffer }: RateLimit, chunk: number, own?: number | null): number | undefined {
  if (chunk === 0) return undefined;
  return own ?? Math.floor(buffer * LATER_FILL);
}

/** A chunk that needs more bits in the buffer than the chunks before leave. */
export interface BrokenJoin {
  /** The number of the chunk. */
  readonly chunk: number;
  /** For each video, how many bits there are at its start. null: there are enough. */
  readonly fills: readonly (number | null)[];
  /** True if there are so few that the chunk cannot be encoded for them. */
  readonly isHopeless: boolean;
}

/**
 * The chunks before which the buffer of a video has too few bits. After such a chunk, the buffer counts as if there had been enough.
 *
 * @param effects Of each chunk, in order: the effect of each video. null: the video has no limit.
 * @param encodedFor Of each chunk that was encoded again: the bits in the buffer of each video for which it was. If there are as many, what it still
 *   lacks is not due to the join: libx264 exceeds its limits a little without chunks too.
 */
export function brokenJoins(
  limits: readonly (RateLimit | null)[],
  effects: readonly (readonly (BufferEffect | null)[])[],
  encodedFor: readonly (readonly (number | null)[])[] = [],
): readonly BrokenJoin[] {
  const fills = limits.map((limit) => (limit === null ? 0 : limit.buffer * FIRST_FILL));
  const joins: BrokenJoin[] = [];
  for (const [chunk, ofVideos] of effects.entries()) {
    const lacking = limits.map((limit, video) => {
      const effect = ofVideos[video];
      const fill = fills[video] ?? 0;
      if (limit === null || effect === null || effect === undefined) return null;
      fills[video] = Math.max(0, Math.min(Math.max(fill, effect.need) + effect.change, effect.ceiling));
      const own = encodedFor[chunk]?.[video] ?? Number.POSITIVE_INFINITY;
      return fill < effect.need - limit.buffer * TOLERANCE && own > fill ? Math.floor(fill) : null;
    });
    // Nothing is before the first chunk, which is as in the whole conversion.
    if (chunk === 0 || lacking.every((fill) => fill === null)) continue;
    const isHopeless = limits.some((limit, video) => {
      const fill = lacking[video] ?? null;
      return limit !== null && fill !== null && fill < limit.buffer * LEAST_FILL;
    });
    joins.push({ chunk, fills: lacking, isHopeless });
  }
  return joins;
}
