import { expect, test } from 'vitest';
import type { ConversionRequest } from './conversion.ts';
import { fallbackOf } from './devices.ts';
import { originOf, originsOf } from './origins.ts';

const REQUEST = {
  inputs: ['a.mp4', { input: 'b.mp4', parameters: { hwaccel: 'cuda', 'c:v': 'h264_cuvid', ss: '5' } }],
  output: 'c.mp4',
  parameters: { 'c:v': 'h264_nvenc', preset: 'p5', cq: '23' },
  fallback: { 'c:v': 'libx264', crf: '23' },
} as const;

/** Where the client sent a field of the fallback. */
const sentFieldOf = (request: ConversionRequest, field: string): string =>
  originOf(originsOf(fallbackOf(request) ?? request), field).field;

test('the fallback replaces all parameters, and the processor decodes', () => {
  expect(fallbackOf(REQUEST)).toMatchObject({
    inputs: ['a.mp4', { input: 'b.mp4', parameters: { ss: '5' } }],
    output: 'c.mp4',
    parameters: { 'c:v': 'libx264', crf: '23' },
  });
  expect(fallbackOf({ input: 'a.mp4', output: 'b.mp4' })).toBeUndefined();
});

test('the fallback has no size that its output must not exceed, because it replaces the bit rate of the recipe', () => {
  const preset = { name: 'target-size', maxBytes: 8_000_000 };
  expect(fallbackOf({ ...REQUEST, preset })).toHaveProperty('preset', { name: 'target-size' });
});

test('an output has a fallback of its own, and keeps its parameters without one', () => {
  const request = {
    input: 'a.mp4',
    outputs: [
      { output: 'b.mp4', parameters: { 'c:v': 'h264_nvenc' }, fallback: { 'c:v': 'libx264' } },
      { output: 'c.jpg', parameters: { 'frames:v': '1' } },
    ],
    parameters: { hwaccel: 'cuda', an: '' },
  };
  expect(fallbackOf(request)).toMatchObject({
    input: 'a.mp4',
    outputs: [
      { output: 'b.mp4', parameters: { 'c:v': 'libx264' } },
      { output: 'c.jpg', parameters: { 'frames:v': '1' } },
    ],
    parameters: { an: '' },
  });
  expect(sentFieldOf(request, '/outputs/0/parameters/c:v')).toBe('/outputs/0/fallback/c:v');
  expect(sentFieldOf(request, '/outputs/1/parameters/frames:v')).toBe('/outputs/1/parameters/frames:v');
  expect(sentFieldOf(request, '/parameters/an')).toBe('/parameters/an');
});

test('names the field that the client sent, and forgets what a recipe has set in its place', () => {
  const origins = {
    '/parameters/crf': { field: '/preset', isOfRecipe: true },
    '/inputs/0': { field: '/input' },
  } as const;
  expect(sentFieldOf({ ...REQUEST, origins }, '/parameters/crf')).toBe('/fallback/crf');
  expect(sentFieldOf({ ...REQUEST, origins }, '/inputs/0')).toBe('/input');
  expect(sentFieldOf(REQUEST, '/parameters/crf')).toBe('/fallback/crf');
  expect(sentFieldOf(REQUEST, '/inputs/1/parameters/ss')).toBe('/inputs/1/parameters/ss');
});
