import { describe, expect, test } from 'vitest';
import { type BufferEffect, brokenJoins, bufferEffect, type ChunkFrames, fillAtStart } from './rate-buffer.ts';

const LIMIT = { rate: 1_000_000, buffer: 1_000_000 };

/** Frames of these bits, 25 per second. */
const framesOf = (bits: readonly number[]): ChunkFrames => ({
  bytes: bits.map((one) => one / 8),
  seconds: bits.map((_, at) => at / 25),
  length: bits.length / 25,
});

/** Numbers that look random, the same in each run. */
function* numbers(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield (state >>> 8) / 2 ** 24;
  }
}

/** The fewest bits in the buffer after a frame, frame by frame. */
function leastBits(bits: readonly number[], first: number): number {
  let [fill, least] = [first, Number.POSITIVE_INFINITY];
  for (const one of bits) {
    fill -= one;
    least = Math.min(least, fill);
    fill = Math.min(LIMIT.buffer, fill + LIMIT.rate / 25);
  }
  return least;
}

describe('the effect of a chunk on the buffer', () => {
  test('frames of the bit rate leave the buffer as it was', () => {
    const effect = bufferEffect(LIMIT, framesOf(Array.from({ length: 50 }, () => 40_000)));
    expect(effect).toEqual({ need: 40_000, change: 0, ceiling: 1_000_000 });
  });

  test('a large first frame needs a fuller buffer, and small frames fill it', () => {
    expect(bufferEffect(LIMIT, framesOf([600_000, ...Array.from({ length: 24 }, () => 0)]))).toEqual({
      ...{ need: 600_000, change: 400_000, ceiling: 1_000_000 },
    });
  });

  test('the times of frames may be in the order of decoding', () => {
    const frames = framesOf([400_000, 8000, 8000, 8000]);
    const decoded = { ...frames, seconds: [0, 3, 1, 2].map((at) => at / 25) };
    expect(bufferEffect(LIMIT, decoded)).toEqual(bufferEffect(LIMIT, frames));
  });

  test('a frame that exceeds a full buffer counts as one that empties it', () => {
    const [large, full] = [3_000_000, 1_000_000].map((bits) => bufferEffect(LIMIT, framesOf([bits, 40_000])));
    expect(large).toEqual(full);
  });
});

describe('joins', () => {
  test('they are found where a model of all frames finds them', () => {
    const next = numbers(7);
    let [broken, unbroken] = [0, 0];
    for (let round = 0; round < 400; round++) {
      const chunks = Array.from({ length: 4 }, () => {
        const level = next.next().value * 110_000;
        return Array.from({ length: 10 + Math.floor(next.next().value * 40) }, (_, at) =>
          Math.min(900_000, 8 * Math.round((level * next.next().value + (at === 0 ? level * 6 : 0)) / 8)),
        );
      });
      const least = leastBits(chunks.flat(), 900_000);
      const effects = chunks.map((bits) => [bufferEffect(LIMIT, framesOf(bits))]);
      const [first] = effects[0] ?? [];
      // What a chunk lacks even with a full buffer, it lacks without chunks too.
      if (chunks.some((bits) => leastBits(bits, LIMIT.buffer) < 0)) continue;
      const joins = brokenJoins([LIMIT], effects);
      if (first === undefined || first.need > 900_000) continue;
      if (least >= -1) expect(joins).toEqual([]);
      if (least < -11_000) expect(joins.length).toBeGreaterThan(0);
      if (joins.length > 0) broken += 1;
      else unbroken += 1;
    }
    expect(Math.min(broken, unbroken)).toBeGreaterThan(40);
  });

  test('a chunk that needs more than the one before leaves is named, with the bits that there are', () => {
    const emptied: BufferEffect = { need: 800_000, change: -600_000, ceiling: 400_000 };
    const usual: BufferEffect = { need: 500_000, change: 0, ceiling: 1_000_000 };
    expect(brokenJoins([LIMIT], [[emptied], [usual], [usual]])).toEqual([
      { chunk: 1, fills: [300_000], isHopeless: false },
    ]);
    expect(brokenJoins([LIMIT], [[{ ...emptied, change: -850_000 }], [usual]])[0]).toMatchObject({ isHopeless: true });
  });

  test('what a chunk lacks although it was encoded for the bits that there are is not due to the join', () => {
    const emptied: BufferEffect = { need: 800_000, change: -600_000, ceiling: 400_000 };
    const usual: BufferEffect = { need: 500_000, change: 0, ceiling: 1_000_000 };
    expect(brokenJoins([LIMIT], [[emptied], [usual]], [[], [300_000]])).toEqual([]);
    for (const other of [null, 300_001])
      expect(brokenJoins([LIMIT], [[emptied], [usual]], [[], [other]])).toHaveLength(1);
  });

  test('each video has a buffer of its own, and those without a limit have none', () => {
    const emptied: BufferEffect = { need: 800_000, change: -600_000, ceiling: 400_000 };
    const usual: BufferEffect = { need: 500_000, change: 0, ceiling: 1_000_000 };
    expect(
      brokenJoins(
        [null, LIMIT, LIMIT],
        [
          [null, usual, emptied],
          [null, usual, usual],
        ],
      ),
    ).toEqual([{ chunk: 1, fills: [null, null, 300_000], isHopeless: false }]);
  });

  test('a later chunk begins with half of the buffer, or with what there is', () => {
    expect([fillAtStart(LIMIT, 0), fillAtStart(LIMIT, 1), fillAtStart(LIMIT, 1, 300_000)]).toEqual([
      ...[undefined, 500_000, 300_000],
    ]);
  });
});
