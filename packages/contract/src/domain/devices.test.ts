import { expect, test } from 'vitest';
import { fallbackOf, fieldOfFallback } from './devices.ts';

const REQUEST = {
  inputs: ['a.mp4', { input: 'b.mp4', parameters: { hwaccel: 'cuda', 'c:v': 'h264_cuvid', ss: '5' } }],
  output: 'c.mp4',
  parameters: { 'c:v': 'h264_nvenc', preset: 'p5', cq: '23' },
  fallback: { 'c:v': 'libx264', crf: '23' },
} as const;

test('the fallback replaces all parameters, and the processor decodes', () => {
  expect(fallbackOf(REQUEST)).toEqual({
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
  expect(fallbackOf(request)).toEqual({
    input: 'a.mp4',
    outputs: [
      { output: 'b.mp4', parameters: { 'c:v': 'libx264' } },
      { output: 'c.jpg', parameters: { 'frames:v': '1' } },
    ],
    parameters: { an: '' },
  });
  expect(fieldOfFallback(request, '/outputs/0/parameters/c:v')).toBe('/outputs/0/fallback/c:v');
  expect(fieldOfFallback(request, '/outputs/1/parameters/frames:v')).toBe('/outputs/1/parameters/frames:v');
  expect(fieldOfFallback(request, '/parameters/an')).toBe('/parameters/an');
});

test('names the field that the client sent', () => {
  expect(fieldOfFallback(REQUEST, '/parameters/crf')).toBe('/fallback/crf');
  expect(fieldOfFallback(REQUEST, '/inputs/1/parameters/ss')).toBe('/inputs/1/parameters/ss');
});
