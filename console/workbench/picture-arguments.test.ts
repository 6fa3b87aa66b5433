import type { MediaInfo, Recipe } from '@telecine/client';
import { expect, test } from 'vitest';
import {
  frameSizeOf,
  pictureArguments,
  pictureChoice,
  placementOf,
  regionArguments,
  regionOf,
} from './picture-arguments.ts';
import { cutsRegion, takesRegion } from './region-recipe.ts';

const number = (more: object = {}) => ({ type: 'number', min: 0, max: 8192, description: 'Pixels.', ...more });
const CROP = {
  arguments: { width: number(), height: number(), x: number({ default: 0 }), y: number({ default: 0 }) },
  request: { parameters: { vf: 'crop={{width}}:{{height}}:{{x}}:{{y}}' } },
} as unknown as Recipe;
const LOGO = {
  inputs: [{ role: 'film' }, { role: 'logo' }],
  arguments: {
    place: { type: 'choice', choices: { 'top-left': '0:0', 'bottom-right': 'W-w:H-h' }, default: 'bottom-right' },
    percent: number({ default: 15 }),
    margin: number({ default: 16 }),
  },
} as unknown as Recipe;
const FRAME = { width: 1920, height: 1080 };

test('a recipe that takes a rectangle is told by its arguments and what it does with them', () => {
  expect(takesRegion(CROP)).toBe(true);
  expect(takesRegion({ ...CROP, request: { parameters: { vf: 'scale={{width}}:{{height}}' } } } as Recipe)).toBe(false);
  expect(takesRegion({ ...CROP, arguments: { width: CROP.arguments['width'] } } as unknown as Recipe)).toBe(false);
});

test('only a recipe that keeps nothing but the rectangle cuts the picture', () => {
  expect(cutsRegion(CROP)).toBe(true);
  const vf = 'split[a][b];[b]crop={{width}}:{{height}}:{{x}}:{{y}},gblur[c];[a][c]overlay={{x}}:{{y}}';
  const blur = { ...CROP, request: { parameters: { vf } } } as unknown as Recipe;
  expect([takesRegion(blur), cutsRegion(blur)]).toEqual([true, false]);
});

test('there is no rectangle before the user has drawn one or entered a side', () => {
  expect(regionOf(CROP, undefined, FRAME)).toBeUndefined();
  expect(regionOf(CROP, { width: '', height: 'soon' }, FRAME)).toBeUndefined();
  const sides = { ...CROP.arguments, width: number({ default: 100 }), height: number({ default: 50 }) };
  expect(regionOf({ arguments: sides } as unknown as Recipe, undefined, FRAME)).toEqual({
    x: 0,
    y: 0,
    width: 100,
    height: 50,
  });
});

test('an empty argument is that of the whole frame', () => {
  expect(regionOf(CROP, { x: '100', width: 640, y: 'soon', height: '' }, FRAME)).toEqual({
    x: 100,
    y: 0,
    width: 640,
    height: 1080,
  });
  expect(regionArguments({ x: 1, y: 2, width: 3, height: 4 })).toEqual([
    ['x', '1'],
    ['y', '2'],
    ['width', '3'],
    ['height', '4'],
  ]);
});

test('a logo has a place, a width and a margin', () => {
  expect(placementOf(LOGO, { place: 'top-left', percent: '30' })).toEqual({
    name: 'place',
    choices: ['top-left', 'bottom-right'],
    value: 'top-left',
    what: 'logo',
    share: 0.3,
    margin: 16,
  });
  expect(placementOf({ ...LOGO, inputs: [] })).toMatchObject({ value: 'bottom-right', what: 'text', share: 0.15 });
  expect(placementOf({ ...CROP, inputs: [] })).toBeUndefined();
});

test('the frame of a rotated video is as players show it', () => {
  const info = (more: object) =>
    ({ streams: [{ type: 'audio' }, { type: 'video', width: 1920, height: 1080, ...more }] }) as unknown as MediaInfo;
  expect(frameSizeOf(info({}))).toEqual(FRAME);
  expect(frameSizeOf(info({ rotationDegrees: -90 }))).toEqual({ width: 1080, height: 1920 });
  expect(frameSizeOf({ streams: [] })).toBeUndefined();
});

test('what was chosen on the frame goes to the next recipe that takes it, and past one that does not', () => {
  const logo = { ...LOGO, request: { parameters: {} } } as Recipe;
  const plain = { inputs: [{ role: 'film' }], arguments: {}, request: { parameters: {} } } as unknown as Recipe;
  const crop = { ...CROP, inputs: [{ role: 'film' }] } as unknown as Recipe;
  const region = { width: '640', height: '360', x: '10' };
  const choice = pictureChoice(plain, {}, pictureChoice(crop, { ...region, crf: '23' }));
  expect(Object.fromEntries(pictureArguments(crop, choice))).toEqual(region);
  // A rectangle that the words of the search say counts instead.
  expect(pictureArguments(crop, choice, { width: '100' })).toEqual([]);
  expect(pictureArguments(logo, choice)).toEqual([]);
  const place = pictureChoice(logo, { place: 'top-left', percent: '20' });
  expect(pictureArguments(logo, place)).toEqual([['place', 'top-left']]);
  expect(pictureArguments(logo, place, { place: 'bottom-right' })).toEqual([]);
});
