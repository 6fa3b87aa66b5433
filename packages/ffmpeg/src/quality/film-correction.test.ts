import type { FoundValue, MeasuredTarget } from '@telecine/contract/domain/quality.ts';
import { describe, expect, test } from 'vitest';
import { type FilmChunk, filmCorrection, lastCorrection, meanOfChunks } from './film-correction.ts';

const TARGET: Pick<MeasuredTarget, 'metric' | 'target' | 'encoder' | 'scale'> = {
  ...{ metric: 'ssim', target: 0.96, encoder: 'libx264' },
  scale: { option: 'crf', min: 1, max: 51, step: 0.1 },
};
const FOUND: FoundValue = {
  value: 26,
  tried: [
    { value: 24, score: 0.968, bitsPerSecond: 1_320_000 },
    { value: 28, score: 0.95, bitsPerSecond: 760_000 },
  ],
};

/** Chunks of ten seconds with these scores. */
const filmOf = (...scores: readonly number[]): readonly FilmChunk[] =>
  scores.map((score) => ({
    ...{ seconds: 10, frames: 240 },
    tried: { value: 26, score, bitsPerSecond: 1_000_000, isWhole: true },
  }));

/** What a film has if the loss of chunks falls by 11.8 % with each step of crf, as the samples say. */
function scoreAfter(chunks: readonly FilmChunk[], correction: ReturnType<typeof filmCorrection>): number {
  const factor = ((1 - 0.968) / (1 - 0.95)) ** ((26 - (correction?.value ?? 26)) / 4);
  const after = chunks.map((one, at) =>
    correction?.chunks.includes(at) === true
      ? { ...one, tried: { ...one.tried, score: 1 - (1 - one.tried.score) * factor } }
      : one,
  );
  return meanOfChunks(after).score;
}

describe('no chunk is encoded again', () => {
  test.each<[what: string, scores: readonly number[]]>([
    ['if the film is near the target, though a chunk is far below it', [0.93, 0.97, 0.975]],
    ['if the film is below the target by no more than the tolerance', [0.958, 0.9583, 0.9585]],
    ['if the film is somewhat better than the target', [0.95, 0.963, 0.975]],
  ])('%s', (_what, scores) => expect(filmCorrection(TARGET, FOUND, filmOf(...scores))).toBeUndefined());

  test('if the encoder has no better value', () =>
    expect(
      filmCorrection(
        TARGET,
        { ...FOUND, value: 1 },
        filmOf(0.94).map((one) => ({ ...one, tried: { ...one.tried, value: 1 } })),
      ),
    ).toBeUndefined());
});

test('of a film that misses the target, the chunks that miss it most are encoded again, so that the film has it', () => {
  const chunks = filmOf(0.99, 0.92, 0.97, 0.93, 0.955, 0.972);
  const correction = filmCorrection(TARGET, FOUND, chunks);
  expect(meanOfChunks(chunks).score).toBeLessThan(0.958);
  expect(correction?.chunks).toEqual([1, 3]);
  expect(scoreAfter(chunks, correction)).toBeGreaterThan(0.9595);
  expect(scoreAfter(chunks, correction)).toBeLessThan(0.9615);
});

test('one bad chunk among good ones is encoded again alone', () => {
  const correction = filmCorrection(TARGET, FOUND, filmOf(0.967, 0.967, 0.93, 0.967));
  expect(correction?.chunks).toEqual([2]);
  expect(correction?.value).toBeLessThan(26);
});

test('all chunks are encoded again if they are alike', () => {
  const chunks = filmOf(0.95, 0.951, 0.949, 0.95);
  const correction = filmCorrection(TARGET, FOUND, chunks);
  expect(correction?.chunks.length).toBeGreaterThan(2);
  expect(Math.abs(scoreAfter(chunks, correction) - 0.96)).toBeLessThan(0.002);
});

test('chunks do not get many more bits than they would in a film that was encoded once more as a whole', () => {
  // One step of crf for all is worth more steps for fewer chunks, but not without a limit.
  const chunks = filmOf(...Array.from({ length: 20 }, (_, at) => (at < 10 ? 0.95 : 0.962)));
  const { value = 0 } = filmCorrection(TARGET, FOUND, chunks) ?? {};
  expect(value).toBeGreaterThanOrEqual(26 - 0.9 - 1);
});

test('of a film that is much better than the target, chunks above it get fewer bits', () => {
  const chunks = filmOf(0.955, 0.97, 0.975, 0.98, 0.99);
  const correction = filmCorrection(TARGET, FOUND, chunks);
  expect(correction?.value).toBeGreaterThan(26);
  expect(scoreAfter(chunks, correction)).toBeLessThan(meanOfChunks(chunks).score);
  expect(scoreAfter(chunks, correction)).toBeGreaterThan(0.96);
});

test('a film whose search tried one value gets the usual effect of the encoder', () => {
  const found = { ...FOUND, tried: FOUND.tried.slice(0, 1) };
  expect(filmCorrection(TARGET, found, filmOf(0.95, 0.95))?.value).toBeLessThan(25.5);
});

describe('a film that was corrected', () => {
  /** A film of two chunks, of which the second was corrected: what it had, and what it has with another value. */
  const correctedFilm = (first: number, before: number, value: number, score: number): readonly FilmChunk[] =>
    filmOf(first, before).map((one, at) =>
      at === 0 ? one : { ...one, tried: { ...one.tried, value, score }, before: one.tried },
    );

  test('is not corrected again if it has its target, or if no chunk was corrected', () => {
    expect(lastCorrection(TARGET, correctedFilm(0.97, 0.93, 23, 0.947))).toBeUndefined();
    expect(lastCorrection(TARGET, filmOf(0.95, 0.93))).toBeUndefined();
  });

  test('gets a better value if the chunks gained too little, by what they have gained', () => {
    const [slow = 0, fast = 0] = [0.936, 0.938].map((score) =>
      lastCorrection(TARGET, correctedFilm(0.977, 0.93, 24, score)),
    );
    expect(fast).toBeLessThan(23.6);
    expect(slow).toBeLessThan(fast);
    expect(slow).toBeGreaterThan(22);
  });

  test('does not get a step that is farther than the first', () => {
    expect(lastCorrection(TARGET, correctedFilm(0.93, 0.9, 24, 0.901))).toBe(22);
    const scale = { ...TARGET.scale, min: 23 };
    expect(lastCorrection({ ...TARGET, scale }, correctedFilm(0.93, 0.9, 24, 0.901))).toBe(23);
    expect(lastCorrection({ ...TARGET, scale }, correctedFilm(0.93, 0.9, 23, 0.901))).toBeUndefined();
  });

  test('gets a value between the two if it was too good, and lost more than was forecast', () => {
    const film = correctedFilm(0.965, 0.985, 29, 0.945);
    expect(meanOfChunks(film).score).toBeLessThan(0.958);
    const value = lastCorrection(TARGET, film) ?? 0;
    expect(value).toBeGreaterThan(26);
    expect(value).toBeLessThan(28.9);
  });
});

test('an encoder with whole steps gets a whole value', () => {
  const scale = { option: 'crf', min: 1, max: 63, step: 1 } as const;
  const found = { value: 35, tried: [{ value: 35, score: 0.96, bitsPerSecond: 1_000_000 }] };
  const target = { ...TARGET, encoder: 'libsvtav1', scale };
  const { value = 0.5 } = filmCorrection(target, found, filmOf(0.95, 0.957)) ?? {};
  expect(Number.isInteger(value)).toBe(true);
  expect(value).toBeLessThan(35);
});

test('the mean counts frames for the score, and seconds for the bit rate', () => {
  const [one, other] = filmOf(0.9, 0.98);
  if (one === undefined || other === undefined) throw new Error('There are two chunks.');
  const short = { ...other, seconds: 5, frames: 720, tried: { ...other.tried, bitsPerSecond: 4_000_000 } };
  expect(meanOfChunks([one, short])).toMatchObject({
    score: expect.closeTo(0.96),
    bitsPerSecond: 2_000_000,
    seconds: 15,
  });
});
