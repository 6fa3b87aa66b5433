import { describe, expect, test } from 'vitest';
import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { ArgumentValue } from '../../packages/contract/src/domain/recipe.ts';
import type { InputFacts } from '../../packages/service/src/recipes/facts.ts';
import { applyRecipe, builtIn, expandRequest } from '../support/apply-recipe.ts';

type Arguments = Readonly<Record<string, ArgumentValue>>;

const FACTS = { duration: 3600, width: 1920, height: 1080, fps: 25, bitrate: 8_000_000, sounds: 1 } as const;
const UPRIGHT = { ...FACTS, width: 1080, height: 1920 } as const;

const requestFor = (name: string, output: string, own: Arguments = {}): ConversionRequest => ({
  ...{ input: 'a.mov', output, preset: { name, arguments: own } },
});
const applied = (name: string, output: string, own: Arguments = {}, facts: InputFacts = FACTS): ConversionRequest =>
  applyRecipe(requestFor(name, output, own), facts).request;
const errorsIn = (name: string, output: string, own: Arguments, facts: InputFacts = FACTS) => {
  const result = expandRequest(requestFor(name, output, own), facts);
  return result.ok ? [] : result.errors;
};

describe('a sheet of pictures', () => {
  test.each([
    [12, 3],
    [12.4, 3],
    [10, 2],
    [2, 1],
  ])('of %s seconds has a picture for each of its cues', (duration, count) => {
    const { parameters, thumbnailTrack } = applied('sprite-sheet', 'b.jpg', { every: 5 }, { ...FACTS, duration });
    expect(thumbnailTrack).toEqual({ everySeconds: 5, durationSeconds: duration, columns: count, rows: 1 });
    // The last picture is passed on at the end of the film, and repeated if its sound is longer.
    expect(parameters?.['vf']).toMatch(`fps=1/5:eof_action=pass,`);
    expect(parameters?.['vf']).toMatch(`tpad=stop_mode=clone:stop=${count},tile=${count}x1`);
  });

  test.each([
    ['sprite-sheet', { columns: 1 }, FACTS, 56],
    ['sprite-sheet', { width: 640 }, UPRIGHT, 180],
    ['contact-sheet', { columns: 20, rows: 20, width: 1920 }, FACTS, 800],
  ])('%s with %o that no format can hold is rejected, with the width that fits', (name, own, facts, most) => {
    expect(errorsIn(name, 'b.webp', own, facts)).toMatchObject([
      { code: 'OUT_OF_RANGE', message: expect.stringMatching(`at most ${most} for this input.*16000 pixels`) },
    ]);
    expect(errorsIn(name, 'b.webp', { ...own, width: most }, facts)).toEqual([]);
  });
});

test.each([
  ['gif', 'b.gif'],
  ['animated-webp', 'b.webp'],
  ['animated-avif', 'b.avif'],
  ['poster', 'b.jpg'],
  ['contact-sheet', 'b.jpg'],
  ['sprite-sheet', 'b.jpg'],
  ['frames', 'b_%03d.jpg'],
])('%s has square pixels, because viewers of pictures know no others', (name, output) => {
  expect(applied(name, output).parameters?.['vf']).toMatch(/setsar=1/);
});

test.each([
  ['poster', (request: ConversionRequest) => request.parameters],
  ['web-package', (request: ConversionRequest) => request.outputs?.[1]?.parameters],
])('%s makes pictures small before it compares a hundred of them', (name, parametersOf) => {
  const output = name === 'poster' ? 'b.jpg' : 'b.mp4';
  expect(parametersOf(applied(name, output))?.['vf']).toMatch(/^scale=.*min\(.*,thumbnail=n=100/);
});

test('the limit of crop-to-content holds for every depth of bits', () => {
  expect(applied('crop-to-content', 'b.mp4').parameters?.['vf']).toBe('cropdetect=limit=0.094118:round=2:skip=0,crop');
});

describe('add-silent-sound', () => {
  test('keeps the sound of a film that has one', () => {
    expect(applied('add-silent-sound', 'b.mp4').parameters).toEqual({
      map: ['0:v:0', '0:a'],
      'c:v': 'copy',
      'c:a': 'copy',
      movflags: '+faststart',
    });
  });

  test('makes silence for a film without sound', () => {
    expect(applied('add-silent-sound', 'b.mp4', {}, { ...FACTS, sounds: 0 }).parameters).toMatchObject({
      filter_complex: expect.stringContaining('anullsrc'),
      map: ['0:v:0', '[silence]'],
      'c:a': 'aac',
    });
  });
});

test('separate-tracks of a film without sound writes the picture alone', () => {
  expect(applied('separate-tracks', 'b.mp4', {}, { ...FACTS, sounds: 0 }).outputs).toHaveLength(1);
  expect(applied('separate-tracks', 'b.mp4').outputs).toHaveLength(2);
});

test('mp4-ladder limits bit rates by the number of pixels, and asks for no more than a picture needs', () => {
  const limits = (facts: InputFacts) =>
    applied('mp4-ladder', 'b.mp4', {}, facts).outputs?.map(({ parameters }) => parameters?.['maxrate']);
  expect(limits(FACTS)).toEqual(['7527k', '3345k', '837k']);
  // 608x1080 has a third of the pixels of 1920x1080.
  expect(limits(UPRIGHT)).toEqual(['2382k', '1059k', '264k']);
  const [first] = applied('mp4-ladder', 'b.mp4').outputs ?? [];
  expect(first?.parameters).toMatchObject({ crf: '22' });
  expect(first?.parameters).not.toHaveProperty('b:v');
});

test('hdr-to-sdr leaves no metadata of HDR beside the new colours', () => {
  expect(applied('hdr-to-sdr', 'b.mp4').parameters?.['vf']).toMatch(
    /sidedata=mode=delete:type=MASTERING_DISPLAY_METADATA,sidedata=mode=delete:type=CONTENT_LIGHT_LEVEL/,
  );
});

describe('what leaves streams out', () => {
  const without = (name: string, option: string) =>
    applyRecipe({ ...requestFor(name, 'b.mp4'), parameters: { [option]: '' } }, FACTS).request;

  test.each([
    ['web-package', ['b.mp4', 'b-poster.jpg']],
    ['separate-tracks', ['b.mp4']],
  ])('the sound leaves out the output of %s that is sound alone', (name, outputs) => {
    const { outputs: all, parameters } = without(name, 'an');
    expect(all?.map(({ output }) => output)).toEqual(outputs);
    expect(parameters).toEqual({ an: '' });
  });

  test('the picture is for each output, also beside one that has none, and leaves out the one that is a picture', () => {
    const { outputs, parameters } = without('web-package', 'vn');
    expect(parameters).toEqual({ vn: '' });
    expect(outputs?.map(({ output }) => output)).toEqual(['b.mp4', 'b-sound.m4a']);
  });
});

describe('a GIF with a size', () => {
  // The width is a limit, because the video is never enlarged.
  const widthOf = (own: Arguments, facts: InputFacts = FACTS): number =>
    Number(
      /scale='round\(min\((\d+),iw\*sar\)\)':/.exec(
        String(applied('gif', 'b.gif', own, facts).parameters?.['vf']),
      )?.[1],
    );

  test('is smaller for less, for longer parts and for more frames, and never wider than asked for', () => {
    expect(widthOf({ size: 2 })).toBe(290);
    expect(widthOf({ size: 1 })).toBe(205);
    expect(widthOf({ size: 2, length: 10 })).toBe(205);
    expect(widthOf({ size: 2, fps: 24 })).toBe(205);
    expect(widthOf({ size: 100 })).toBe(480);
    // The film ends before the part does.
    expect(widthOf({ size: 2, length: 10, start: 0 }, { ...FACTS, duration: 5 })).toBe(290);
  });

  test('is rejected if too little is left, with what fits', () => {
    expect(errorsIn('gif', 'b.gif', { size: 0.1, length: 60 })).toMatchObject([
      { code: 'OUT_OF_RANGE', message: expect.stringContaining('64 pixels'), nearest: { bound: 1.17 } },
    ]);
    expect(errorsIn('gif', 'b.gif', { size: 1.17, length: 60 })).toEqual([]);
  });

  test('needs the facts of the film, and without a size does not', () => {
    expect(errorsIn('gif', 'b.gif', {}, {})).toEqual([]);
    expect(errorsIn('gif', 'b.gif', { size: 1 }, {})).toMatchObject([{ code: 'UNKNOWN_FACT' }, {}, {}]);
  });
});

test('video-remove-silence leaves half of the longest pause at each end of one, and a "cut" of the request is stronger', () => {
  const silence = { noiseDb: -40, minSeconds: 0.8 };
  const request = requestFor('video-remove-silence', 'b.mp4', { pause: 0.8 });
  expect(applyRecipe(request).request.cut).toEqual({ remove: { silence, marginSeconds: 0.4 } });
  const cut = { keep: [{ end: 5 }] };
  expect(applyRecipe({ ...request, cut }).request.cut).toEqual(cut);
});

test('teaser fades for at most a quarter of each scene, and not at all with a crossfade of 0', () => {
  const cutOf = (own: Arguments) => applied('teaser', 'b.mp4', own).cut;
  const keep = { scenes: { threshold: 10 }, count: 6, partSeconds: 2 };
  expect(cutOf({})).toEqual({ keep, crossfade: 0.5 });
  expect(cutOf({ seconds: 1, scenes: 3 })).toEqual({ keep: { ...keep, count: 3, partSeconds: 1 }, crossfade: 0.25 });
  expect(cutOf({ crossfade: 0 })).toEqual({ keep });
});

describe('split-chapters', () => {
  const facts = { ...FACTS, chapters: '60,61.5' };
  test('cuts films and sounds at their chapters', () => {
    expect(applied('split-chapters', 'c%02d.mp4', {}, facts).parameters).toEqual({
      ...{ map: ['0:v:0', '0:a?'], map_chapters: '-1', 'c:v': 'copy', 'c:a': 'copy' },
      ...{ segment_times: '60,61.5', segment_start_number: '1', reset_timestamps: '1', metadata: 'title=' },
    });
    // The last chapter can end before the input does.
    expect(applied('split-chapters', 'c%02d.mp4', {}, { ...facts, chaptersEnd: 63 }).parameters).toMatchObject({
      ...{ segment_times: '60,61.5', to: '63' },
    });
    expect(applied('split-chapters', 'c%02d.mp4', { exact: true }, facts).parameters).toMatchObject({
      ...{ 'c:v': 'libx264', crf: '23', 'c:a': 'aac', force_key_frames: '60,61.5' },
    });
    expect(applied('split-chapters', 'c%02d.mp3', { exact: true }, facts).parameters).toMatchObject({
      ...{ map: ['0:a:0'], 'c:a': 'libmp3lame', segment_times: '60,61.5' },
    });
  });

  test('keeps the subtitles that the container holds', () => {
    const of = (output: string, own: object, name = 'split-chapters') => {
      const { request } = applyRecipe(requestFor(name, output), { ...facts, ...own });
      return [[request.parameters?.['map']].flat().slice(2), request.parameters?.['c:s']];
    };
    const text = { subtitles: 2, textTracks: '0:2\n0:3' };
    const pictures = { subtitles: 2 };
    const ofMp4 = { ...text, movTextSubtitles: 2 };
    expect(of('c%02d.mp4', text)).toEqual([['0:2', '0:3'], 'mov_text']);
    expect(of('c%02d.mp4', pictures)).toEqual([[], undefined]);
    expect(of('c%02d.mkv', pictures)).toEqual([['0:s?'], 'copy']);
    expect(of('c%02d.mkv', ofMp4)).toEqual([['0:s?'], 'srt']);
    expect(of('c%02d.mp3', text)).toEqual([[], undefined]);
    expect(of('b.mp4', text, 'change-container')).toEqual([['0:2', '0:3'], 'mov_text']);
    expect(of('b.mkv', text, 'change-container')).toEqual([['0:s?', '0:t?'], 'copy']);
    expect(of('b.ts', text, 'change-container')).toEqual([[], undefined]);
  });

  test('needs chapters, and all of the input', () => {
    expect(errorsIn('split-chapters', 'c%02d.mp4', {})).toMatchObject([{ field: '/input', code: 'UNKNOWN_FACT' }]);
    const cut = { keep: [{ end: 70 }] };
    expect(expandRequest({ ...requestFor('split-chapters', 'c%02d.mp4'), cut }, facts)).toMatchObject({
      errors: [{ field: '/cut', code: 'EXCLUSIVE' }],
    });
  });
});

test('a recipe that cuts by a number that "cut" cannot have is rejected', () => {
  const recipe = builtIn('video-remove-silence');
  const cut = { remove: { silence: { noiseDb: '{{threshold}}', minSeconds: 'soon' }, marginSeconds: '0' } };
  const request = requestFor('video-remove-silence', 'b.mp4');
  const result = expandRequest(request, FACTS, { ...recipe, request: { ...recipe.request, cut } });
  expect(result).toMatchObject({ ok: false, errors: [{ field: '/preset', code: 'BAD_ARGUMENT' }] });
});

test('the font of burnt subtitles is one name, which changes no other style', () => {
  const own = { subtitles: 'a.srt', fontName: 'Arial,Fontsize=90' };
  expect(errorsIn('burn-subtitles', 'b.mp4', own)).toMatchObject([
    { field: '/preset/arguments/fontName', code: 'BAD_ARGUMENT', message: expect.stringContaining('without ","') },
  ]);
  expect(errorsIn('burn-subtitles', 'b.mp4', { ...own, fontName: 'DejaVu Sans' })).toEqual([]);
});

test('a recipe that computes with the length of the input is not applied to a part of it', () => {
  const cut = { keep: [{ start: 10, end: 20 }] };
  const cutWith = (name: string, own: Arguments) => expandRequest({ ...requestFor(name, 'b.mp4', own), cut }, FACTS);
  expect(cutWith('target-size', { size: 50 })).toMatchObject({
    ok: false,
    errors: [{ field: '/cut', code: 'EXCLUSIVE' }],
  });
  expect(cutWith('web-h264', {})).toMatchObject({ ok: true, request: { cut } });
});

test('frames takes the first picture at the start, and each other one at its time', () => {
  expect(applied('frames', 'f%02d.jpg', { every: 5 }).parameters?.['vf']).toContain('fps=1/5:start_time=0:round=up:');
});
