import { describe, expect, test } from 'vitest';
import { type Outcome, TOOLS } from '../../scripts/compare/compare-files.ts';
import { classOf } from '../../scripts/compare/comparison-table.ts';
import { type Expectation, judgeResult, LOSSES, type Loss } from '../../scripts/compare/judge-result.ts';
import { type Frame, frameOf, type Listed, type MediaFacts, STEP_SECONDS } from '../../scripts/compare/media-facts.ts';
import { GRID } from '../outcomes/generated/coded-frames.ts';

const ALL: Expectation = { picture: 'video', keeps: new Set(Object.keys(LOSSES) as Loss[]) };

/** A frame with a bar that moves by its number, below a corner in red. */
function drawFrame(number: number, red = 220): Frame {
  const pixels = Buffer.alloc(GRID * GRID * 4, 255);
  for (let at = 0; at < GRID * GRID; at += 1) {
    const [x, y] = [at % GRID, Math.floor(at / GRID)];
    const isBar = x >= number && x < number + 8;
    const rgb = x < 16 && y < 8 ? [red, 30, 30] : isBar ? [20, 20, 20] : [200 - 2 * y, 200, 200];
    pixels.set(rgb, at * 4);
  }
  return frameOf(number / 20, pixels);
}

const envelope = Float32Array.from({ length: 2 / STEP_SECONDS }, (_, step) => 0.2 + 0.15 * Math.sin(step ** 1.5 / 9));
const film = {
  seconds: 2,
  picture: {
    ...{ width: 160, height: 90, pixels: 160 * 90, hdr: false, alpha: false },
    frames: Array.from({ length: 20 }, (_, number) => drawFrame(2 * number)),
  },
  tracks: [{ channels: 2, start: 0, end: 2, envelope, loudness: -20, peak: -6 }],
  lists: {
    ...{ tracks: ['1'], languages: ['deu', 'eng'], subtitles: ['1'], chapters: ['1', '2'] },
    ...{ cover: ['a cover'], attachments: ['1'], tags: ['title A film'] },
  },
} satisfies MediaFacts;
const { picture } = film;
const without = (loss: Listed): MediaFacts => ({ ...film, lists: { ...film.lists, [loss]: [] } });

const lossesOf = (result: MediaFacts, expected = ALL) => [
  ...new Set(judgeResult(film, result, expected).map(({ loss }) => loss)),
];
const withFrames = (change: (number: number) => Frame): MediaFacts => ({
  ...film,
  picture: { ...picture, frames: picture.frames.map(({ time }, number) => ({ ...change(number), time })) },
});
const withSound = (change: (value: number, step: number) => number): MediaFacts => ({
  ...film,
  tracks: film.tracks.map((one) => ({ ...one, envelope: envelope.map(change) })),
});

describe('the judge of compared tools', () => {
  test('finds nothing in a result that is like its source', () => expect(lossesOf(film)).toEqual([]));

  test.each<[Loss, MediaFacts]>([
    ['length', { ...film, seconds: 1.5 }],
    ['frames', withFrames((number) => drawFrame(2 * (19 - number)))],
    ['rate', { ...film, picture: { ...picture, frames: picture.frames.filter((_, number) => number % 3 !== 1) } }],
    ['shape', { ...film, picture: { ...picture, width: 120 } }],
    ['size', { ...film, picture: { ...picture, width: 320, height: 180, pixels: 320 * 180 } }],
    ['colour', withFrames((number) => drawFrame(2 * number, 180))],
    ['sound', withSound((_, step) => envelope[step + 7] ?? 0)],
    ['level', { ...film, tracks: film.tracks.map((one) => ({ ...one, loudness: -26 })) }],
    ...(Object.keys(film.lists) as Listed[]).map((loss): [Loss, MediaFacts] => [loss, without(loss)]),
  ])('finds a planted loss: %s', (loss, result) => expect(lossesOf(result)).toContain(loss));

  test('finds lost HDR and transparency', () => {
    const source = { ...film, picture: { ...picture, hdr: true, alpha: true } };
    expect(judgeResult(source, film, ALL).map(({ loss }) => loss)).toEqual(['hdr', 'alpha']);
  });

  test('says nothing of what a request drops', () =>
    expect(lossesOf(without('subtitles'), { ...ALL, keeps: new Set(['frames']) })).toEqual([]));
});

describe('a failure', () => {
  const done = { seconds: 1, told: [], silent: [] };
  const failed = { ...done, failed: 'no decoder' };
  const pair = (...outcomes: readonly Outcome[]) => ({
    outcomes: Object.fromEntries(outcomes.map((one, at) => [TOOLS[at], one])),
  });

  test('has a good reason if no other tool can do it', () =>
    expect(classOf(pair(failed, failed), 'Telecine')).toBe('failed with reason'));
  test('has none if another can', () => expect(classOf(pair(failed, done), 'Telecine')).toBe('failed without reason'));
});
