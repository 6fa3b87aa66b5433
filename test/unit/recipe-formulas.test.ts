import { describe, expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { ArgumentValue, Recipe } from '../../packages/contract/src/domain/recipe.ts';
import { type InputFacts, readFacts } from '../../packages/service/src/recipes/facts.ts';
import { applyRecipe, expandRequest } from '../support/apply-recipe.ts';

type Arguments = Readonly<Record<string, ArgumentValue>>;

const requestFor = (name: string, output: string, own?: Arguments): ConversionRequest => ({
  ...{ input: 'a.mov', output, preset: { name, ...(own && { arguments: own }) } },
});

const errorsIn = (request: ConversionRequest, facts: InputFacts, recipe?: Recipe) => {
  const result = expandRequest(request, facts, recipe);
  return result.ok ? [] : result.errors;
};

const FACTS = { duration: 100, width: 1920, height: 1080, fps: 25, bitrate: 8_000_000, sounds: 1 } as const;

describe('target-size', () => {
  const parametersFor = (size: number, facts: InputFacts = FACTS) =>
    applyRecipe(requestFor('target-size', 'b.mp4', { size }), facts).request.parameters ?? {};
  const kilobits = (parameters: ConversionRequest['parameters'] = {}): number =>
    Number.parseInt(String(parameters['b:v']), 10) + Number.parseInt(String(parameters['b:a']), 10);

  test.each([
    ['with sound', { ...FACTS, duration: 3600 }, 23.33],
    ['without sound', { ...FACTS, duration: 3600, sounds: 0 }, 10.19],
  ])('says which size is possible for an hour %s', (_what, facts, smallest) => {
    expect(errorsIn(requestFor('target-size', 'b.mp4', { size: 1 }), facts)).toMatchObject([
      {
        field: '/preset/arguments/size',
        code: 'OUT_OF_RANGE',
        message: expect.stringContaining(`at least ${smallest} for this input, not 1.`),
        nearest: { bound: smallest, others: 'more' },
      },
    ]);
    const { 'b:v': video } = parametersFor(smallest, facts);
    expect(video).toBe('20k');
  });

  test('does not make a small film larger', () => {
    const small = { ...FACTS, duration: 10, bitrate: 1_600_000 };
    // The index of the container takes the rest, and encoders miss their bit rate.
    expect(kilobits(parametersFor(100, small))).toBe(1495);
    expect(kilobits(parametersFor(1, small))).toBeLessThan(800);
  });

  test.each([
    ['of 24 frames per second', { fps: 24 }, 5.2],
    ['of 60 frames per second', { fps: 60 }, 13.2],
    ['without sound', { fps: 24, sounds: 0 }, 2.3],
  ])('gives a video %s all bits but those of the index, and a share for what encoders miss', (_what, own, index) => {
    const facts = { ...FACTS, duration: 1000, ...own };
    const audio = facts.sounds === 0 ? 0 : 1;
    const { 'b:v': video, 'b:a': sound } = parametersFor(40, facts);
    const spent = Number.parseInt(String(video), 10) + audio * (Number.parseInt(String(sound), 10) + 1) + index;
    expect(spent).toBeLessThanOrEqual(0.99 * 320 + 1);
    expect(spent).toBeGreaterThan(0.99 * 320 - 2);
  });

  test('a film below the floors keeps them', () => {
    expect(parametersFor(10, { ...FACTS, bitrate: 10_000 })).toMatchObject({ 'b:v': '20k', 'b:a': '24k' });
  });
});

test('the bit rate of a file that does not state one is that of its bytes', () => {
  const format = { names: ['flv'], durationSeconds: 10, sizeBytes: 1000, tags: {} };
  expect(readFacts({ format, streams: [], chapters: [] })).toMatchObject({ bitrate: 800, duration: 10 });
});

test.each([
  ['states it', { frameRate: 23.976, baseFrameRate: 24 }, 23.976],
  ['states only the rate that fits all times', { baseFrameRate: 30 }, 30],
  ['has times in milliseconds', { baseFrameRate: 1000 }, 60],
  ['states none', {}, 60],
])('target-size knows the frame rate of a video that %s', (_what, video, fps) => {
  const stream = { index: 0, type: 'video', disposition: [], tags: {}, ...video } as const;
  const format = { names: ['mov'], durationSeconds: 100, bitRate: 8_000_000, tags: {} };
  const facts = readFacts({ format, streams: [stream], chapters: [] });
  expect(facts.fps).toBe(fps);
  expect(errorsIn(requestFor('target-size', 'b.mp4', { size: 10 }), facts)).toEqual([]);
});

test.each([
  ['a constant rate', { frameRate: 29.97003, frameRateExact: '30000/1001', baseFrameRate: 29.97003 }, '30000/1001'],
  ['a whole rate', { frameRate: 25, frameRateExact: '25/1', baseFrameRate: 25 }, '25'],
  ['a phone', { frameRate: 29.81234, frameRateExact: '894370/30000', baseFrameRate: 29.97003 }, '30000/1001'],
  ['pauses', { frameRate: 12.5, frameRateExact: '25/2', baseFrameRate: 60 }, '60'],
  ['times in milliseconds', { frameRate: 23.8, frameRateExact: '119/5', baseFrameRate: 1000 }, '119/5'],
  [
    'fields',
    { frameRate: 29.97003, frameRateExact: '30000/1001', baseFrameRate: 59.94006, fieldOrder: 'tt' },
    '30000/1001',
  ],
  ['no known rate', {}, undefined],
])('the frame rate of a video with %s is the one at which ffmpeg converts it', (_what, video, frameRate) => {
  const stream = { index: 0, type: 'video', disposition: [], tags: {}, ...video } as const;
  expect(readFacts({ format: { names: ['mov'], tags: {} }, streams: [stream], chapters: [] }).frameRate).toBe(
    frameRate,
  );
});

test('the end of the last chapter is known if the file goes on after it', () => {
  const chapters = [0, 20].map((startSeconds) => ({ startSeconds, endSeconds: startSeconds + 20, tags: {} }));
  const endIn = (durationSeconds: number) =>
    readFacts({ format: { names: ['mov'], tags: {}, startSeconds: 1, durationSeconds }, streams: [], chapters })
      .chaptersEnd;
  expect([endIn(39), endIn(39.4), endIn(43)]).toEqual([undefined, undefined, 39]);
  // The rest of a film is not lost.
  expect(endIn(49)).toBeUndefined();
});

test('the chapters of a file are the times between them, without empty ones', () => {
  const format = { names: ['matroska'], durationSeconds: 100, tags: {} };
  const chaptersOf = (...starts: readonly number[]) =>
    readFacts({
      format,
      streams: [],
      chapters: starts.map((startSeconds) => ({ startSeconds, endSeconds: startSeconds + 1, tags: {} })),
    }).chapters;
  expect(chaptersOf(0, 20.5, 60)).toBe('20.5,60');
  // Out of order, twice at the same time, right at the start, and at the end.
  expect(chaptersOf(60, 0, 0.1, 20.5, 20.5, 20.6, 100)).toBe('20.5,60');
  // What is before the first chapter is a part of it.
  expect(chaptersOf(3, 20)).toBe('20');
  expect(chaptersOf(0)).toBeUndefined();
  expect(chaptersOf()).toBeUndefined();
});

/** A recipe of a test, with these parts instead of its own. */
const recipeWith = (parts: Partial<Recipe>): Recipe => ({
  name: 'mine',
  version: 1,
  title: 'Mine',
  description: 'A recipe of a test.',
  words: [],
  inputs: [{ role: 'film', description: 'A film.' }],
  outputs: ['mp4'],
  arguments: {
    size: { type: 'number', min: 0, max: 100, description: 'The size.' },
    seconds: { type: 'number', min: 0, max: 100, description: 'The length.' },
  },
  values: { rate: '8000 * size / seconds' },
  request: { parameters: { 'b:v': '{{rate}}k' } },
  ...parts,
});

describe('a formula', () => {
  const mine = (own: Arguments): ConversionRequest => requestFor('mine', 'b.mp4', own);

  test('whose argument was not sent leaves its option out', () => {
    expect(applyRecipe(mine({ size: 3 }), {}, recipeWith({})).request.parameters).toBeUndefined();
  });

  test('whose argument was not sent needs no fact of the input', () => {
    const ofFact = recipeWith({ values: { rate: 'input.duration * size', more: '2 * rate * input.width' } });
    expect(applyRecipe(mine({}), {}, ofFact).request.parameters).toBeUndefined();
    expect(errorsIn(mine({ size: 3 }), {}, ofFact)).toMatchObject([{ code: 'UNKNOWN_FACT' }, { code: 'UNKNOWN_FACT' }]);
  });

  test('says once that the duration is unknown', () => {
    const ofBoth = recipeWith({ values: { rate: 'size * input.duration / input.partDuration' } });
    expect(errorsIn(mine({ size: 3 }), {}, ofBoth)).toHaveLength(1);
  });

  test('without a result is an error at its cause', () => {
    expect(errorsIn(mine({ size: 3, seconds: 0 }), {}, recipeWith({}))).toEqual([
      {
        field: '/preset/arguments/seconds',
        code: 'NOT_COMPUTABLE',
        message: 'The recipe "mine" cannot compute "rate" with size = 3, seconds = 0.',
      },
    ]);
    const ofRoot = recipeWith({ values: { rate: 'sqrt(0 - size)' } });
    expect(errorsIn(mine({ size: 3 }), {}, ofRoot)).toMatchObject([{ field: '/preset/arguments/size' }]);
  });

  test('without a result is an error of the input if a fact of it is the cause', () => {
    expect(errorsIn(requestFor('contact-sheet', 'b.jpg'), { ...FACTS, duration: 0 })).toMatchObject([
      { field: '/input', code: 'NOT_COMPUTABLE', message: expect.stringContaining('input.duration = 0') },
    ]);
  });

  test('with a limit of an argument rejects what is outside it', () => {
    const limits = { size: { min: 'seconds', max: 'seconds * 2', reason: 'Because.' } };
    const recipe = recipeWith({ values: {}, request: { parameters: {} }, limits });
    expect(errorsIn(mine({ size: 5, seconds: 4 }), {}, recipe)).toEqual([]);
    expect(errorsIn(mine({ size: 9, seconds: 4 }), {}, recipe)).toMatchObject([
      { message: '"size" must be at most 8 for this input, not 9. Because.', nearest: { bound: 8 } },
    ]);
    const without = { ...recipe, limits: { size: { min: '1 / seconds', reason: 'Because.' } } };
    expect(errorsIn(mine({ size: 5, seconds: 0 }), {}, without)).toMatchObject([
      { field: '/preset/arguments/seconds', code: 'NOT_COMPUTABLE' },
    ]);
  });
});

test('a fact that only a condition tests may be unknown', () => {
  const recipe = recipeWith({
    arguments: {},
    values: {},
    request: { parameters: { s: { when: 'input.width', value: 'hd720', otherwise: 'vga' } } },
  });
  const sizeFor = (facts: InputFacts) => applyRecipe(requestFor('mine', 'b.mp4'), facts, recipe).request.parameters;
  expect(sizeFor({ width: 100 })).toEqual({ s: 'hd720' });
  expect(sizeFor({})).toEqual({ s: 'vga' });
});

describe('the limits of a request hold with what a recipe adds', () => {
  const pictures = (count: number) => Array.from({ length: count }, (_, index) => `${index}.png`);

  test('to inputs', () => {
    const request = (count: number): ConversionRequest => ({
      inputs: pictures(count),
      output: 'b.mp4',
      preset: { name: 'slideshow', arguments: { music: 'a.mp3' } },
    });
    expect(errorsIn(request(99), {})).toEqual([]);
    expect(errorsIn(request(100), {})).toMatchObject([{ field: '/inputs', code: 'TOO_MANY' }]);
  });

  test('to options, those of all inputs together', () => {
    const parameters = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`o${index}`, '1']));
    const recipe = recipeWith({
      inputs: [{ role: 'first', description: 'One.', many: true, parameters }],
      values: {},
      request: { parameters: {} },
    });
    const request = (count: number): ConversionRequest => ({
      ...{ inputs: pictures(count), output: 'b.mp4', preset: { name: 'mine' } },
    });
    expect(errorsIn(request(10), {}, recipe)).toEqual([]);
    expect(errorsIn(request(11), {}, recipe)).toMatchObject([
      { field: '/preset', code: 'TOO_MANY', message: expect.stringContaining('110 options') },
    ]);
  });

  test('to texts', () => {
    const recipe = recipeWith({
      arguments: { note: { type: 'text', maxLength: 1000, description: 'A text.' } },
      values: {},
      request: { parameters: { metadata: 'a={{note}}'.repeat(20) } },
    });
    expect(errorsIn(requestFor('mine', 'b.mp4', { note: 'x'.repeat(1000) }), {}, recipe)).toMatchObject([
      { field: '/preset/arguments/note', code: 'TOO_LONG' },
    ]);
  });
});

test.each<[what: string, name: string, own: Arguments, expected: RegExp]>([
  ['two films beside each other', 'side-by-side', { right: 'b.mov', height: 721 }, /scale=-2:722/],
  ['a moving wave', 'audiogram', { width: 1281, height: 719 }, /s=1282x720:/],
  ['a frame with bars', 'letterbox', { width: 1279, height: 719 }, /pad=1280:720:/],
  ['an upright film', 'vertical', { height: 1279, fill: 'crop' }, /crop=720:1280,/],
  ['an upright film of the usual size', 'vertical', { fill: 'crop' }, /crop=1080:1920,/],
  ['a square', 'vertical', { aspect: '1:1', fill: 'crop' }, /crop=1080:1080,/],
  ['a picture for a feed', 'vertical', { aspect: '4:5', fill: 'bars' }, /pad=1080:1350:/],
])('%s in an odd size gets even sides', (_what, name, own, expected) => {
  const { parameters = {} } = applyRecipe(requestFor(name, 'b.mp4', own)).request;
  expect(String(parameters['vf'] ?? parameters['filter_complex'])).toMatch(expected);
});

test('crossfades of a slideshow fit into pictures that are shown briefly', () => {
  const request = (own: Arguments): ConversionRequest => ({
    inputs: ['1.png', '2.png', '3.png'],
    output: 'b.mp4',
    preset: { name: 'slideshow', arguments: own },
  });
  const fades = (own: Arguments) =>
    (applyRecipe(request(own)).request.inputs ?? []).map((one) => (typeof one === 'string' ? one : one.crossfade));
  expect(fades({ seconds: 1.5 })).toEqual([undefined, '0.75', '0.75']);
  expect(fades({})).toEqual([undefined, '1', '1']);
  expect(fades({ fade: 0 })).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['frames', 'f%03d.jpg', { every: 0 }, 0.01],
  ['split', 'p%03d.mp4', { length: 0 }, 0.1],
  ['gif', 'b.gif', { length: '0:00' }, 0.04],
  ['text-overlay', 'b.mp4', { text: '' }, undefined],
] as const)('rejects a value of %s that makes no sense', (name, output, own, bound) => {
  const errors = errorsIn(requestFor(name, output, own), {});
  expect(errors).toMatchObject([{ code: 'BAD_ARGUMENT', ...(bound && { nearest: { bound } }) }]);
});

test('a text keeps its spaces at both ends', () => {
  const { parameters = {} } = applyRecipe(requestFor('text-overlay', 'b.mp4', { text: ' a b ' })).request;
  expect(parameters['vf']).toContain(String.raw`text=\\\ a b\\\ :expansion`);
});

test('the request of a job gives each input its role again', () => {
  const sent: ConversionRequest = {
    inputs: ['1.png', '2.png'],
    output: 'b.mp4',
    preset: { name: 'slideshow', arguments: { music: 'a.mp3' } },
  };
  const { request: first } = applyRecipe(sent);
  const { origins: _, ...ran } = first;
  expect(ran.preset?.arguments).toMatchObject({ music: 'a.mp3' });
  expect(applyRecipe(ran).request).toMatchObject(ran);
});

test('a sound among the pictures of a slideshow is told where it belongs', () => {
  const request = { inputs: ['1.png', '2.png', 'a.mp3'], output: 'b.mp4', preset: { name: 'slideshow' } };
  expect(errorsIn(request, {})).toMatchObject([
    {
      field: '/inputs/2',
      message: expect.stringMatching(/^"a\.mp3" is an audio file, .* is the argument "music"\.$/),
    },
  ]);
});

test('the output of HLS without "%v" is an error in words of the recipe', () => {
  expect(errorsIn(requestFor('hls', 'hls2/film.m3u8'), FACTS)).toMatchObject([
    {
      field: '/output',
      message: expect.stringMatching(/^The recipe "hls" writes .* needs "%v" in the name\.$/),
    },
  ]);
  expect(errorsIn(requestFor('hls', 'hls2/stream_%v.m3u8'), FACTS)).toEqual([]);
  expect(errorsIn(requestFor('hls', 'hls2/master.m3u8'), FACTS)).toEqual([]);
});
